import type { Knex } from 'knex'
import { limits } from '#contracts'
import { startCleanup } from '#runtime'
import type { Deps } from '../deps.ts'

/** A report is not sent again after so long, and a replica that told nothing for so long is gone. */
const forgottenSeconds = 3_600
const hourMs = 3_600_000
/** A single statement ends well within its time. */
const rowsAtOnce = 10_000

/** Removes usage that was kept long enough, until disposed. */
export function startUsageSweep({
  knex,
  now,
  ...parts
}: Pick<Deps, 'knex' | 'now' | 'logger' | 'registry'>): Disposable {
  return startCleanup('usage', () => sweepUsage(knex, now()), parts)
}

/** What is kept for so long; of tables with a span, the rows of that span. */
const lives: readonly { table: string; column: string; seconds: number; span?: string }[] = [
  { table: 'reports', column: 'received_at', seconds: forgottenSeconds },
  { table: 'provider_circuits', column: 'told_at', seconds: forgottenSeconds },
  { table: 'provider_calls', column: 'minute', seconds: limits.usage_minutes_seconds },
  { table: 'requests', column: 'at', seconds: limits.stored_requests_seconds },
  { table: 'rejections', column: 'at', seconds: limits.stored_requests_seconds },
  { table: 'usage_calls', column: 'at', seconds: limits.usage_minutes_seconds, span: 'minute' },
  { table: 'usage_calls', column: 'at', seconds: limits.usage_hours_seconds, span: 'hour' },
  { table: 'usage_calls', column: 'at', seconds: limits.usage_days_seconds, span: 'day' },
  { table: 'usage_answers', column: 'at', seconds: limits.usage_hours_seconds, span: 'hour' },
  { table: 'usage_answers', column: 'at', seconds: limits.usage_days_seconds, span: 'day' },
  { table: 'usage_callers', column: 'at', seconds: limits.usage_minutes_seconds, span: 'minute' },
  { table: 'usage_callers', column: 'at', seconds: limits.usage_callers_seconds, span: 'hour' },
  { table: 'usage_logins', column: 'at', seconds: limits.usage_hours_seconds, span: 'hour' },
  { table: 'usage_logins', column: 'at', seconds: limits.usage_days_seconds, span: 'day' },
]

export async function sweepUsage(knex: Knex, now: Date): Promise<void> {
  for (const { table, column, seconds, span } of lives) {
    const outdated = knex(table)
      .where(column, '<', new Date(now.getTime() - seconds * 1_000))
      .where(span === undefined ? {} : { span })
    await removeAll(knex, table, outdated)
  }
  // Who had no calls lately has no new surplus either.
  const busy: number[] = await knex('usage_calls')
    .where({ span: 'hour' })
    .where('at', '>=', new Date(now.getTime() - 2 * hourMs))
    .distinct()
    .pluck('site')
  for (const site of busy) {
    const newest = knex('requests').where({ site }).orderBy('at', 'desc')
    const surplus: { at: Date } | undefined = await newest.offset(limits.stored_requests_per_site).first('at')
    if (surplus !== undefined)
      await removeAll(knex, 'requests', knex('requests').where({ site }).where('at', '<=', surplus.at))
  }
}

async function removeAll(knex: Knex, table: string, outdated: Knex.QueryBuilder): Promise<void> {
  let removed: number
  do {
    const part = outdated.clone().select(knex.raw('ctid')).limit(rowsAtOnce)
    removed = await knex(table).whereRaw('ctid = any(array(?))', [part]).delete()
  } while (removed === rowsAtOnce)
}
