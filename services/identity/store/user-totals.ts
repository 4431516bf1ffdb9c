import type { Knex } from 'knex'
import { firstIdentifier, part } from '../domain/periods.ts'
import { always, cellsOf } from './user-counts.ts'
import { arrivedUsersOf, backdatedUsersOf, loggedInBefore, type UserFilter } from './user-filter.ts'

/**
 * How many users the filter has, exactly: whole cells are added up (migration 0003), edges are counted through an index.
 *
 * An edge is at most four minutes of arrivals or an hour of last logins, a day of each when both periods are given. Users
 * whom a merge made older than the creation period they arrived in are counted one by one.
 */
export async function countUsers(knex: Knex, filter: UserFilter): Promise<number> {
  const { created_since } = filter
  const backdated = created_since === undefined ? [] : [backdatedUsersOf(knex, { ...filter, created_since }).count()]
  return difference(knex, arrivedUsers(knex, filter), backdated)
}

/** How many users, of any creation but otherwise of the filter, arrived before its creation period. */
export async function countEarlierArrivals(knex: Knex, filter: UserFilter): Promise<number> {
  if (filter.created_since === undefined) return 0
  return difference(knex, arrivedUsers(knex, { ...filter, created_since: undefined }), arrivedUsers(knex, filter))
}

/** Counts whose sum is the number of `arrivedUsersOf`. */
function arrivedUsers(knex: Knex, filter: UserFilter): Knex.QueryBuilder[] {
  const { created_since, logged_in_since } = filter
  const both = created_since !== undefined && logged_in_since !== undefined
  const arrivals = created_since === undefined ? undefined : part(created_since, both ? [16, 20] : [8, 16])
  const logins = logged_in_since === undefined ? undefined : part(logged_in_since, both ? [16, 20] : [12, 16])

  const counts = (arrivals?.stretches ?? always).flatMap((arrival) =>
    (logins?.stretches ?? always).map((login) =>
      cellsOf(knex, filter, { arrival, login }).select(knex.raw('coalesce(sum(n), 0)')),
    ),
  )
  if (arrivals !== undefined) {
    const edge = arrivedUsersOf(knex, filter).where('identifier', '<', firstIdentifier(arrivals.edge.until))
    counts.push(edge.count())
  }
  if (logins !== undefined) {
    const edge = arrivedUsersOf(knex, { ...filter, created_since: arrivals?.edge.until })
    counts.push(loggedInBefore(edge, logins.edge.until).count())
  }
  return counts
}

/** One statement, so that all counts are of the same moment. */
async function difference(
  knex: Knex,
  counts: readonly Knex.QueryBuilder[],
  less: readonly Knex.QueryBuilder[],
): Promise<number> {
  const sum = [...counts.map(() => '+ ?'), ...less.map(() => '- ?')].join(' ')
  const { rows } = await knex.raw<{ rows: { total: number }[] }>(`select (0 ${sum})::bigint as total`, [
    ...counts,
    ...less,
  ])
  return rows[0]?.total ?? 0
}
