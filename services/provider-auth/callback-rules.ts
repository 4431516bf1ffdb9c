import type { Knex } from 'knex'
import type { Call } from '#bus'
import { type CallbackRules, Fault, type RejectedField } from '#contracts'
import type { Deps } from './deps.ts'
import { findRuleViolation } from './domain/callback-rules.ts'
import { uriFields } from './domain/client-rules.ts'
import { listPreparedRules, lockCallbackRules } from './store/callback-rules.ts'

/** A site's rules for callback addresses, and when they were read. */
interface LoadedRules extends CallbackRules {
  readonly site: number
  readonly revision: number
  readonly readAt: number
}

/** How long rules may be used after they were read: half of the time that prepared rules are valid. */
const maxRulesAgeMs = 30_000

/** Reads a site's rules. Call it before the transaction that checks addresses. @throws Fault `entity_not_found` */
export async function fetchCallbackRules(
  site: number,
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<LoadedRules> {
  const readAt = performance.now()
  return { ...(await identity.readCallbackRules({ site }, call)), site, readAt }
}

/**
 * Rejects addresses that do not satisfy the site's rules or prepared ones, and locks both until the transaction ends.
 *
 * @throws Fault `invalid_parameter`, or `unavailable` when the rules were read too long ago
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
  if (rejected.length > 0) throw new Fault('invalid_parameter', { about: rejected })
}

const violationMessages = {
  not_https: () => 'must be https because the kind of the site is production',
  outside_domains: ({ domains }: CallbackRules) =>
    `must have a host that is one of the domains of the site or a subdomain of one: ${domains.join(', ')}`,
} as const
