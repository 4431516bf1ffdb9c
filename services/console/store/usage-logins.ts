import type { Knex } from 'knex'
import type { LoginCount, LoginStep, Provider } from '#contracts'
import type { UsageSpan } from '../domain/time-slots.ts'

/** Adds logins by hour and day. */
export async function upsertLogins(trx: Knex.Transaction, logins: readonly LoginCount[]): Promise<void> {
  if (logins.length === 0) return
  await trx.raw(
    `insert into usage_logins as u (site, span, at, provider, step, count)
     select g.site, s.span, date_trunc(s.span, to_timestamp(g.minute * 60), 'UTC'), g.provider, g.step, sum(g.count)
     from jsonb_to_recordset(?) as g (site int, minute bigint, provider text, step text, count bigint)
     cross join (values ('hour'), ('day')) as s (span)
     group by 1, 2, 3, 4, 5
     order by 1, 2, 3, 4, 5
     on conflict (site, span, at, provider, step) do update set count = u.count + excluded.count`,
    [JSON.stringify(logins)],
  )
}

export interface LoginsRow {
  readonly at: Date
  readonly provider: Provider
  readonly step: LoginStep
  readonly count: number
}

export async function listLoginCounts(
  knex: Knex,
  { site, span, since, until }: { site: number; span: UsageSpan; since: Date; until: Date },
): Promise<LoginsRow[]> {
  return knex('usage_logins')
    .where({ site, span })
    .where('at', '>=', since)
    .where('at', '<', until)
    .select<LoginsRow[]>('at', 'provider', 'step', 'count')
}
