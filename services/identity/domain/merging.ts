import { Fault, type Link, type Provider } from '#contracts'
import { isSameProvider } from './provider-accounts.ts'

/**
 * Two accounts of one provider may not become one user's: what the provider tells at logins with either would overwrite the
 * other's. Both names of the search engine count as one provider.
 */
export function sharesProvider(source: readonly Link[], destination: readonly Link[]): boolean {
  return source.some(({ provider }) => destination.some((other) => isSameProvider(provider, other.provider)))
}

/** @throws Fault `operation_failed` when both have an account of one provider */
export function checkNoSharedProvider(source: readonly Link[], destination: readonly Link[]): void {
  if (sharesProvider(source, destination)) throw new Fault('operation_failed')
}

/** What of a user a merge decides. */
interface MergedFields {
  readonly primary_key: string | null
  readonly mapped_at: Date | null
  readonly last_logged_in_at: Date | null
  readonly last_logged_in_provider: Provider | null
  readonly login_count: number
  readonly created_at: Date
}

/**
 * The destination after it took over the source: its own mapping or else the source's, the logins of both, the later last
 * login, the earlier creation.
 */
export function mergeUserFields<U extends MergedFields>(source: MergedFields, destination: U): U {
  const mapped = destination.primary_key === null ? source : destination
  const last = isLater(source.last_logged_in_at, destination.last_logged_in_at) ? source : destination
  return {
    ...destination,
    primary_key: mapped.primary_key,
    mapped_at: mapped.mapped_at,
    last_logged_in_at: last.last_logged_in_at,
    last_logged_in_provider: last.last_logged_in_provider,
    login_count: source.login_count + destination.login_count,
    created_at: source.created_at < destination.created_at ? source.created_at : destination.created_at,
  }
}

function isLater(one: Date | null, other: Date | null): boolean {
  return one !== null && (other === null || one > other)
}
