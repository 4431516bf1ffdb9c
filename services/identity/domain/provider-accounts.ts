import type { Provider } from '#contracts'

const search: readonly Provider[] = ['search', 'search_legacy']

/** The providers under which one account may be linked: the search engine's older and current one know the same accounts. */
export function providersOfAccount(provider: Provider): Provider[] {
  return search.includes(provider) ? [...search] : [provider]
}

/** Whether two providers are the search engine's older and current one, or the same. */
export function isSameProvider(one: Provider, other: Provider): boolean {
  return providersOfAccount(one).includes(other)
}

/** One name for one account, under whichever provider it is linked. */
export function accountKey(account: { readonly provider: Provider; readonly provider_user_id: string }): string {
  return `${providersOfAccount(account.provider)[0]} ${account.provider_user_id}`
}
