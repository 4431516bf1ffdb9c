import type { Knex } from 'knex'

/**
 * Returns the next position of each site, and locks the sites until the transaction ends: a reader that has seen a position
 * never misses a smaller one.
 *
 * @param sites without duplicates
 */
export async function nextPositions(
  trx: Knex.Transaction,
  sites: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (sites.length === 0) return new Map()
  const { rows } = await trx.raw<{ rows: { site: number; position: number }[] }>(
    `insert into login_logs as l (site, position, reported_at)
     select site, 1, now() from unnest(?::int[]) as g (site) order by site
     on conflict (site) do update set position = l.position + 1, reported_at = excluded.reported_at
     returning site, position`,
    [[...sites]],
  )
  return new Map(rows.map(({ site, position }) => [site, position]))
}

/** Records that logins of sites before a time can be missing. */
export async function markIncomplete(knex: Knex, sites: readonly number[], until: Date): Promise<void> {
  if (sites.length === 0) return
  await knex('login_logs')
    .whereIn('site', [...sites])
    .update({ complete_since: knex.raw('greatest(complete_since, ?::timestamptz)', [until]) })
}

export interface LoginLogState {
  /** Of the newest report; 0 without a report. */
  readonly position: number
  /** Earlier logins can be missing; null: none is missing. */
  readonly complete_since: Date | null
}

export async function readLoginLog(knex: Knex, site: number): Promise<LoginLogState> {
  const state = await knex('login_logs').where({ site }).first<LoginLogState | undefined>('position', 'complete_since')
  return state ?? { position: 0, complete_since: null }
}

/** Sites with reports since a time. */
export async function listReportedSites(knex: Knex, since: Date): Promise<number[]> {
  return knex('login_logs').where('reported_at', '>=', since).pluck('site')
}
