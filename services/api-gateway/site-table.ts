import type { CompatibilityOption, SiteRecord } from '#contracts'
import { type AddressRule, compileAddresses } from '#http'
import { hashSecret } from '#runtime'
import type { Replica } from './replicate-changes.ts'

/** A site as found by one of its API keys. */
export interface SiteEntry {
  readonly site: number
  readonly api_key_id: string
  readonly account: string
  readonly site_id: string
  readonly requests_per_window: number
  readonly isAllowed: AddressRule
  readonly fixed_address_option: boolean
  readonly compatibility: readonly CompatibilityOption[]
  readonly users_may_be_stale: boolean
  /** The base URL of the Web API of the cell that serves the site, if it is another one; empty: that cell is not ready yet. */
  readonly moved_to?: string | null | undefined
}

/** All active API keys with their sites, in memory. Any other key is invalid. */
export interface SiteTable extends Replica<SiteRecord> {
  readonly find: (apiKey: string) => SiteEntry | undefined
  /** Whether a site still has this active key. */
  readonly hasKey: (site: number, apiKeyId: string) => boolean
  /** Milliseconds since the table was last confirmed; infinite before the first time. */
  readonly ageMs: () => number
}

/** @param now a monotonic clock in milliseconds */
export function createSiteTable(now: () => number = () => performance.now()): SiteTable {
  const byKeyHash = new Map<string, SiteEntry>()
  const keyHashesOf = new Map<number, readonly string[]>()
  let revision = -1
  let completeAt = Number.NEGATIVE_INFINITY

  return {
    find: (apiKey) => byKeyHash.get(hashSecret(apiKey)),
    hasKey: (site, apiKeyId) =>
      (keyHashesOf.get(site) ?? []).some((hash) => byKeyHash.get(hash)?.api_key_id === apiKeyId),
    apply(changes) {
      for (const { keys, allowed_addresses, revision: _, ...rest } of changes) {
        const site = { ...rest, isAllowed: compileAddresses(allowed_addresses) }
        for (const hash of keyHashesOf.get(site.site) ?? []) byKeyHash.delete(hash)
        for (const { api_key_id, key_hash } of keys) byKeyHash.set(key_hash, { ...site, api_key_id })
        keyHashesOf.set(
          site.site,
          keys.map(({ key_hash }) => key_hash),
        )
      }
    },
    confirm(confirmed, at) {
      revision = confirmed
      completeAt = Math.max(completeAt, at)
    },
    revision: () => revision,
    ageMs: () => now() - completeAt,
  }
}
