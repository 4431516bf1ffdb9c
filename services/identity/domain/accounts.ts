import type { Provider } from '#contracts'

const search: readonly Provider[] = ['search', 'search_legacy']

/** The providers under which one account may be linked: the search engine's older and current one know the same accounts. */
export function providersOfAccount(provider: Provider): Provider[] {
  return search.includes(provider) ? [...search] : [provider]
}

/** One name for one account, under whichever provider it is linked. */
export function accountName(account: { readonly provider: Provider; readonly provider_user_id: string }): string {
  return `${providersOfAccount(account.provider)[0]} ${account.provider_user_id}`
}
