import type { Provider } from '#contracts'

const search: readonly Provider[] = ['search', 'search_legacy']

/** The providers under which an account can be linked: search and search_legacy share their accounts. */
export function providersOfAccount(provider: Provider): Provider[] {
  return search.includes(provider) ? [...search] : [provider]
}

/** Whether two providers are equal, or search and search_legacy. */
export function isSameProvider(one: Provider, other: Provider): boolean {
  return providersOfAccount(one).includes(other)
}

/** A key for an account that is the same for search and search_legacy. */
export function accountKey(account: { readonly provider: Provider; readonly provider_user_id: string }): string {
  return `${providersOfAccount(account.provider)[0]} ${account.provider_user_id}`
}
