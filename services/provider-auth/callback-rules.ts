import type { Knex } from 'knex'
import type { Call } from '#bus'
import { type CallbackRules, Fault, type RejectedField } from '#contracts'
import type { Deps } from './deps.ts'
import { findRuleViolation } from './domain/callback-rules.ts'
import { uriFields } from './domain/client-rules.ts'
import { listPreparedRules, lockCallbackRules } from './store/callback-rules.ts'

/** A site's rules for redirect URIs, and when they were loaded. */
interface LoadedRules extends CallbackRules {
  readonly site: number
  readonly revision: number
  readonly readAt: number
}

/** Maximum age of loaded rules: half the time that prepared rules are valid. */
const maxRulesAgeMs = 30_000

/**
 * Loads a site's rules. Call it before the transaction that checks redirect URIs.
 *
 * @throws Fault `entity_not_found`
 */
export async function fetchCallbackRules(
  site: number,
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<LoadedRules> {
  const readAt = performance.now()
  return { ...(await identity.readCallbackRules({ site }, call)), site, readAt }
}

/**
 * Rejects redirect URIs that violate the site's current or prepared rules, and locks the rules until the transaction
 * ends.
 *
 * @throws Fault `invalid_parameter`, or `unavailable` if the rules were loaded too long ago
 */
export async function requireAllowedRedirectUris(
  trx: Knex.Transaction,
  addresses: Partial<Record<(typeof uriFields)[number], readonly string[] | undefined>>,
  { readAt, ...rules }: LoadedRules,
): Promise<void> {
  await lockCallbackRules(trx, rules.site)
  if (performance.now() - readAt > maxRulesAgeMs) throw new Fault('unavailable')
  const all = [rules, ...(await listPreparedRules(trx, rules))]
  const rejected = uriFields.flatMap((field) =>
    (addresses[field] ?? []).flatMap((address, index): RejectedField[] => {
      const [reason] = all.flatMap((one) => {
        const violation = findRuleViolation(address, one)
        return violation === undefined ? [] : [violationMessages[violation](one)]
      })
      return reason === undefined ? [] : [{ field: `${field}.${index}`, reason }]
    }),
  )
  if (rejected.length > 0) throw new Fault('invalid_parameter', { fields: rejected })
}

const violationMessages = {
  not_https: () => 'must use https because the site is a production site',
  outside_domains: ({ domains }: CallbackRules) =>
    `must have a host that is a domain of the site or a subdomain of one: ${domains.join(', ')}`,
} as const
