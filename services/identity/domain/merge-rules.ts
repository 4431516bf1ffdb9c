import { Fault, type Link, type Provider } from '#contracts'
import { isSameProvider } from './provider-accounts.ts'

/**
 * Whether two users have accounts of the same provider. Such users cannot be merged, because the data from logins with one
 * account would overwrite the other's. search and search_legacy count as one provider.
 */
export function sharesProvider(source: readonly Link[], destination: readonly Link[]): boolean {
  return source.some(({ provider }) => destination.some((other) => isSameProvider(provider, other.provider)))
}

/** @throws Fault `operation_failed` if both users have an account of the same provider */
export function checkNoSharedProvider(source: readonly Link[], destination: readonly Link[]): void {
  if (sharesProvider(source, destination)) throw new Fault('operation_failed')
}

/** The fields of a user that a merge changes. */
interface MergedFields {
  readonly primary_key: string | null
  readonly mapped_at: Date | null
  readonly last_logged_in_at: Date | null
  readonly last_logged_in_provider: Provider | null
  readonly login_count: number
  readonly created_at: Date
  readonly blocked_at: Date | null
  readonly blocked_until: Date | null
  readonly block_reason: string | null
  readonly blocked_by: string | null
}

/**
 * Merges the fields of two users: the destination's mapping or else the source's, the login counts of both, the later last
 * login, the earlier creation, and the block that ends later.
 */
export function mergeUserFields<U extends MergedFields>(source: MergedFields, destination: U): U {
  const mapped = destination.primary_key === null ? source : destination
  const blocked = isBlockedLonger(source, destination) ? source : destination
  const last = isLater(source.last_logged_in_at, destination.last_logged_in_at) ? source : destination
  return {
    ...destination,
    primary_key: mapped.primary_key,
    mapped_at: mapped.mapped_at,
    last_logged_in_at: last.last_logged_in_at,
    last_logged_in_provider: last.last_logged_in_provider,
    login_count: source.login_count + destination.login_count,
    created_at: source.created_at < destination.created_at ? source.created_at : destination.created_at,
    blocked_at: blocked.blocked_at,
    blocked_until: blocked.blocked_until,
    block_reason: blocked.block_reason,
    blocked_by: blocked.blocked_by,
  }
}

/** A block without an end is longer than any other, and any block longer than none. */
function isBlockedLonger(one: MergedFields, other: MergedFields): boolean {
  if (one.blocked_at === null) return false
  if (other.blocked_at === null) return true
  return other.blocked_until !== null && (one.blocked_until === null || one.blocked_until > other.blocked_until)
}

function isLater(one: Date | null, other: Date | null): boolean {
  return one !== null && (other === null || one > other)
}
