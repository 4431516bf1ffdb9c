import { defineStatement, type Executor, isNotFrozen } from '#database'
import type { ErasureKey, ErasureRow } from './erasures.ts'

/** A deletion whose receipt is not complete. */
export interface IncompleteErasure extends ErasureKey, Pick<ErasureRow, 'requested_by' | 'requested_at' | 'services'> {
  readonly next_look_at: Date
  /** Seconds since the deletion. */
  readonly age_seconds: number
}

const selectDueErasures = defineStatement<IncompleteErasure>(
  `select site, identifier, deleted_at, requested_by, requested_at, services, next_look_at,
     extract(epoch from now() - deleted_at)::float8 as age_seconds
   from erasures
   where next_look_at <= now() and ${isNotFrozen('site')} order by next_look_at limit $1`,
)

/** Deletions of all sites to look at now, at most `limit`. */
export async function listDueErasures(executor: Executor, limit: number): Promise<readonly IncompleteErasure[]> {
  return (await selectDueErasures(executor, [limit])).rows
}

/** Our choices: a receipt is complete soon, and a long outage costs few looks. */
const shortestPauseSeconds = 2
const longestPauseSeconds = 300

const updateNextLook = defineStatement(
  // Milliseconds, as a Date has, which the condition compares. A distributed table has no function of time and a column here.
  `update erasures set next_look_at = date_trunc('milliseconds', now() + make_interval(secs => $5))
   where site = $1 and identifier = $2 and deleted_at = $3 and next_look_at = $4`,
)

/**
 * Postpones the next look at a deletion by half of what it has taken so far, two seconds to five minutes.
 *
 * @returns false if another replica did
 */
export async function takeErasure(
  executor: Executor,
  { site, identifier, deleted_at, next_look_at, age_seconds }: IncompleteErasure,
): Promise<boolean> {
  const pauseSeconds = Math.min(Math.max(age_seconds / 2, shortestPauseSeconds), longestPauseSeconds)
  return (await updateNextLook(executor, [site, identifier, deleted_at, next_look_at, pauseSeconds])).rowCount === 1
}

const updateReceipt = defineStatement(
  `update erasures set receipt = $4, receipt_key = $5, completed_at = now(), next_look_at = null
   where site = $1 and identifier = $2 and deleted_at = $3 and receipt is null`,
)

/** Stores the receipt, unless one is stored. */
export async function completeErasure(
  executor: Executor,
  { site, identifier, deleted_at }: ErasureKey,
  { receipt, key }: { readonly receipt: string; readonly key: Readonly<Record<string, unknown>> },
): Promise<void> {
  await updateReceipt(executor, [site, identifier, deleted_at, receipt, JSON.stringify(key)])
}
