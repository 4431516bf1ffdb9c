import type { Knex } from 'knex'
import { limits } from '#contracts'
import { startCleanup } from '#runtime'
import type { Deps } from '../deps.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'

/** After this time, no report is sent again, and a replica that sent no report has ended. */
const reportLifetimeSeconds = 3_600
const hourMs = 3_600_000

/** Deletes expired usage data regularly, until disposed. */
export function startUsageCleanup({
  knex,
  now,
  ...parts
}: Pick<Deps, 'knex' | 'now' | 'logger' | 'registry'>): Disposable {
  return startCleanup('usage', () => cleanUpUsage(knex, now()), parts)
}

/** How long rows are stored. With a span, the period applies to the rows of that span. */
const retentionPeriods: readonly { table: string; column: string; seconds: number; span?: string }[] = [
  { table: 'reports', column: 'received_at', seconds: reportLifetimeSeconds },
  { table: 'provider_circuits', column: 'reported_at', seconds: reportLifetimeSeconds },
  { table: 'provider_calls', column: 'minute', seconds: limits.usage_minutes_seconds },
  { table: 'requests', column: 'at', seconds: limits.stored_requests_seconds },
  { table: 'usage_calls', column: 'at', seconds: limits.usage_minutes_seconds, span: 'minute' },
  { table: 'usage_calls', column: 'at', seconds: limits.usage_hours_seconds, span: 'hour' },
  { table: 'usage_calls', column: 'at', seconds: limits.usage_days_seconds, span: 'day' },
  { table: 'usage_responses', column: 'at', seconds: limits.usage_hours_seconds, span: 'hour' },
  { table: 'usage_responses', column: 'at', seconds: limits.usage_days_seconds, span: 'day' },
  { table: 'usage_callers', column: 'at', seconds: limits.usage_minutes_seconds, span: 'minute' },
  { table: 'usage_callers', column: 'at', seconds: limits.usage_callers_seconds, span: 'hour' },
  { table: 'usage_logins', column: 'at', seconds: limits.usage_hours_seconds, span: 'hour' },
  { table: 'usage_logins', column: 'at', seconds: limits.usage_days_seconds, span: 'day' },
]

export async function cleanUpUsage(knex: Knex, now: Date): Promise<void> {
  for (const { table, column, seconds, span } of retentionPeriods) {
    const expired = knex(table)
      .where(column, '<', new Date(now.getTime() - seconds * 1_000))
      .where(span === undefined ? {} : { span })
    await deleteInBatches(knex, table, expired)
  }
  // Sites without recent calls have no new rows above the limit.
  const activeSites: number[] = await knex('usage_calls')
    .where({ span: 'hour' })
    .where('at', '>=', new Date(now.getTime() - 2 * hourMs))
    .distinct()
    .pluck('site')
  for (const site of activeSites) {
    const newest = knex('requests').where({ site }).orderBy('at', 'desc')
    const surplus: { at: Date } | undefined = await newest.offset(limits.stored_requests_per_site).first('at')
    if (surplus !== undefined)
      await deleteInBatches(knex, 'requests', knex('requests').where({ site }).where('at', '<=', surplus.at))
  }
}
