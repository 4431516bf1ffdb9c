import type { Knex } from 'knex'
import { faults, type ResponseCount } from '#contracts'
import type { UsageSpan } from '../domain/time-slots.ts'

/** Adds calls by minute, hour and day, and their error codes by hour and day. */
export async function upsertResponses(trx: Knex.Transaction, responses: readonly ResponseCount[]): Promise<void> {
  if (responses.length === 0) return
  const json = JSON.stringify(responses)
  // Rows are locked in the order of their keys, so that concurrent reports cannot deadlock.
  await trx.raw(
    `with report as (
       select site, to_timestamp(minute * 60) as minute, sum(calls)::bigint as calls,
              coalesce(sum(calls) filter (where code = :limited), 0)::bigint as limited
       from jsonb_to_recordset(:json) as g (site int, minute bigint, code int, calls bigint)
       group by 1, 2
     ), minutes as (
       insert into usage_calls as u (site, span, at, calls, limited, busiest_minute)
       select site, 'minute', minute, calls, limited, calls from report order by site, minute
       on conflict (site, span, at) do update
         set calls = u.calls + excluded.calls, limited = u.limited + excluded.limited,
             busiest_minute = u.calls + excluded.calls
       returning site, at, calls
     )
     insert into usage_calls as u (site, span, at, calls, limited, busiest_minute)
     select g.site, s.span, date_trunc(s.span, g.minute, 'UTC'), sum(g.calls), sum(g.limited), max(m.calls)
     from report g
     join minutes m on m.site = g.site and m.at = g.minute
     cross join (values ('hour'), ('day')) as s (span)
     group by 1, 2, 3
     order by 1, 2, 3
     on conflict (site, span, at) do update
       set calls = u.calls + excluded.calls, limited = u.limited + excluded.limited,
           busiest_minute = greatest(u.busiest_minute, excluded.busiest_minute)`,
    { json, limited: faults.too_many_requests.code },
  )
  await trx.raw(
    `insert into usage_responses as u (site, span, at, operation, code, calls)
     select g.site, s.span, date_trunc(s.span, to_timestamp(g.minute * 60), 'UTC'), g.operation, g.code, sum(g.calls)
     from jsonb_to_recordset(:json) as g (site int, minute bigint, operation text, code int, calls bigint)
     cross join (values ('hour'), ('day')) as s (span)
     group by 1, 2, 3, 4, 5
     order by 1, 2, 3, 4, 5
     on conflict (site, span, at, operation, code) do update set calls = u.calls + excluded.calls`,
    { json },
  )
}

interface UsageRange {
  readonly site: number
  readonly span: UsageSpan
  readonly since: Date
  readonly until: Date
}

export interface CallsRow {
  readonly at: Date
  readonly calls: number
  readonly limited: number
  readonly busiest_minute: number
}

export async function listCallCounts(knex: Knex, { site, span, since, until }: UsageRange): Promise<CallsRow[]> {
  return knex('usage_calls')
    .where({ site, span })
    .where('at', '>=', since)
    .where('at', '<', until)
    .orderBy('at')
    .select<CallsRow[]>('at', 'calls', 'limited', 'busiest_minute')
}

/** Sums calls by operation or error code, most calls first. */
export async function sumResponses<C extends 'operation' | 'code'>(
  knex: Knex,
  { site, span, since, until }: UsageRange,
  column: C,
): Promise<({ count: number } & Record<C, C extends 'code' ? number : string>)[]> {
  const { rows } = await knex.raw(
    `select ??, sum(calls)::bigint as count from usage_responses
     where site = ? and span = ? and at >= ? and at < ?
     group by 1
     order by 2 desc, 1`,
    [column, site, span, since, until],
  )
  return rows
}

/** The number of calls in the busiest minute since a time; 0: there were none. The hour of the time counts as a whole. */
export async function findBusiestMinute(
  knex: Knex,
  { site, since }: { readonly site: number; readonly since: Date },
): Promise<number> {
  const { rows } = await knex.raw<{ rows: { busiest: number }[] }>(
    `select coalesce(max(busiest_minute), 0)::float8 as busiest from usage_calls
     where site = ? and span = 'hour' and at >= date_trunc('hour', ?::timestamptz, 'UTC')`,
    [site, since],
  )
  return rows[0]?.busiest ?? 0
}
