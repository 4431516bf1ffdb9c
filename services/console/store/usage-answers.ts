import type { Knex } from 'knex'
import { faults, type ResponseCount } from '#contracts'
import type { StoredSpan } from '../domain/points.ts'

/** Adds up calls by minute, hour and day, and what they were answered by hour and day. */
export async function upsertAnswers(trx: Knex.Transaction, answers: readonly ResponseCount[]): Promise<void> {
  if (answers.length === 0) return
  const given = JSON.stringify(answers)
  // Every row is met in the order of its key, so that two reports wait for one another rather than for ever.
  await trx.raw(
    `with given as (
       select site, to_timestamp(minute * 60) as minute, sum(calls)::bigint as calls,
              coalesce(sum(calls) filter (where code = :limited), 0)::bigint as limited
       from jsonb_to_recordset(:given) as g (site int, minute bigint, code int, calls bigint)
       group by 1, 2
     ), minutes as (
       insert into usage_calls as u (site, span, at, calls, limited, busiest_minute)
       select site, 'minute', minute, calls, limited, calls from given order by site, minute
       on conflict (site, span, at) do update
         set calls = u.calls + excluded.calls, limited = u.limited + excluded.limited,
             busiest_minute = u.calls + excluded.calls
       returning site, at, calls
     )
     insert into usage_calls as u (site, span, at, calls, limited, busiest_minute)
     select g.site, s.span, date_trunc(s.span, g.minute, 'UTC'), sum(g.calls), sum(g.limited), max(m.calls)
     from given g
     join minutes m on m.site = g.site and m.at = g.minute
     cross join (values ('hour'), ('day')) as s (span)
     group by 1, 2, 3
     order by 1, 2, 3
     on conflict (site, span, at) do update
       set calls = u.calls + excluded.calls, limited = u.limited + excluded.limited,
           busiest_minute = greatest(u.busiest_minute, excluded.busiest_minute)`,
    { given, limited: faults.too_many_requests.code },
  )
  await trx.raw(
    `insert into usage_answers as u (site, span, at, operation, code, calls)
     select g.site, s.span, date_trunc(s.span, to_timestamp(g.minute * 60), 'UTC'), g.operation, g.code, sum(g.calls)
     from jsonb_to_recordset(:given) as g (site int, minute bigint, operation text, code int, calls bigint)
     cross join (values ('hour'), ('day')) as s (span)
     group by 1, 2, 3, 4, 5
     order by 1, 2, 3, 4, 5
     on conflict (site, span, at, operation, code) do update set calls = u.calls + excluded.calls`,
    { given },
  )
}

interface Stretch {
  readonly site: number
  readonly span: StoredSpan
  readonly since: Date
}

export interface CallsRow {
  readonly at: Date
  readonly calls: number
  readonly limited: number
  readonly busiest_minute: number
}

export async function listCalls(knex: Knex, { site, span, since }: Stretch): Promise<CallsRow[]> {
  return knex('usage_calls')
    .where({ site, span })
    .where('at', '>=', since)
    .orderBy('at')
    .select<CallsRow[]>('at', 'calls', 'limited', 'busiest_minute')
}

/** Calls by one column of what they were, most calls first. */
export async function sumAnswers<C extends 'operation' | 'code'>(
  knex: Knex,
  { site, span, since }: Stretch,
  column: C,
): Promise<({ count: number } & Record<C, C extends 'code' ? number : string>)[]> {
  const { rows } = await knex.raw(
    `select ??, sum(calls)::bigint as count from usage_answers
     where site = ? and span = ? and at >= ?
     group by 1
     order by 2 desc, 1`,
    [column, site, span, since],
  )
  return rows
}
