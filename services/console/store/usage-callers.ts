import type { Knex } from 'knex'
import type { CallerCount } from '#contracts'

/** Combines the addresses that were not reported individually. */
const otherAddresses = ''

/** Adds callers by minute and hour, and records when each key was last used. */
export async function upsertCallers(trx: Knex.Transaction, callers: readonly CallerCount[]): Promise<void> {
  if (callers.length === 0) return
  const json = JSON.stringify(callers)
  await trx.raw(
    `insert into usage_callers as u (site, span, at, api_key_id, address, calls, last_at)
     select g.site, s.span, date_trunc(s.span, to_timestamp(g.minute * 60), 'UTC'), g.api_key_id,
            coalesce(g.address, :others), sum(g.calls), max(to_timestamp(g.last_at / 1000.0))
     from jsonb_to_recordset(:json)
       as g (site int, minute bigint, api_key_id uuid, address text, calls bigint, last_at bigint)
     cross join (values ('minute'), ('hour')) as s (span)
     group by 1, 2, 3, 4, 5
     order by 1, 2, 3, 4, 5
     on conflict (site, span, at, api_key_id, address) do update
       set calls = u.calls + excluded.calls, last_at = greatest(u.last_at, excluded.last_at)`,
    { json, others: otherAddresses },
  )
  await trx.raw(
    `insert into usage_keys as u (api_key_id, site, last_used_at)
     select api_key_id, min(site), max(to_timestamp(last_at / 1000.0))
     from jsonb_to_recordset(:json) as g (site int, api_key_id uuid, last_at bigint)
     group by 1
     order by 1
     on conflict (api_key_id) do update set last_used_at = greatest(u.last_used_at, excluded.last_used_at)`,
    { json },
  )
}

export async function listLastUses(knex: Knex, site: number): Promise<{ api_key_id: string; last_used_at: Date }[]> {
  return knex('usage_keys').where({ site }).select('api_key_id', 'last_used_at')
}

/** Sums the calls of a site since a time by key and address, most calls first. A null address combines the unreported ones. */
export async function sumCallers(
  knex: Knex,
  { site, since }: { site: number; since: Date },
): Promise<{ api_key_id: string; address: string | null; calls: number }[]> {
  const { rows } = await knex.raw(
    `select api_key_id, nullif(address, ?) as address, sum(calls)::bigint as calls from usage_callers
     where site = ? and span = 'minute' and at > ?
     group by 1, 2
     order by 3 desc, 2`,
    [otherAddresses, site, since],
  )
  return rows
}

/** Like `sumCallers`, by address only and in full hours. */
export async function sumAddresses(
  knex: Knex,
  { site, since }: { site: number; since: Date },
): Promise<{ address: string | null; calls: number; last_at: Date }[]> {
  const { rows } = await knex.raw(
    `select nullif(address, ?) as address, sum(calls)::bigint as calls, max(last_at) as last_at from usage_callers
     where site = ? and span = 'hour' and at >= ?
     group by 1
     order by 2 desc, 1`,
    [otherAddresses, site, since],
  )
  return rows
}
