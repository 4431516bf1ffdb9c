import type { Knex } from 'knex'
import { splitPeriod } from '../domain/periods.ts'
import { allTime, selectCells } from './user-counts.ts'
import { selectBackdatedUsers, selectRegisteredUsers, type UserFilter, whereLoggedInBefore } from './user-filter.ts'

/**
 * Counts the users of the filter exactly: adds up whole cells (migrations/user-counts.ts) and counts the remainder through an index.
 *
 * The remainder is at most four minutes of registrations or an hour of last logins, or a day of each if both periods are
 * given. Users with an earlier creation time from a merge than the creation period in which they registered are counted one by one.
 */
export async function countUsers(knex: Knex, filter: UserFilter): Promise<number> {
  const { created_since } = filter
  const backdated =
    created_since === undefined ? [] : [selectBackdatedUsers(knex, { ...filter, created_since }).count()]
  return subtractCounts(knex, registeredUserCounts(knex, filter), backdated)
}

/** Counts the users who registered before the filter's creation period and match the rest of the filter. */
export async function countEarlierRegistrations(knex: Knex, filter: UserFilter): Promise<number> {
  if (filter.created_since === undefined) return 0
  return subtractCounts(
    knex,
    registeredUserCounts(knex, { ...filter, created_since: undefined }),
    registeredUserCounts(knex, filter),
  )
}

/** Subselects whose sum is the number of `selectRegisteredUsers`. */
function registeredUserCounts(knex: Knex, filter: UserFilter): Knex.QueryBuilder[] {
  const { created_since, logged_in_since } = filter
  const both = created_since !== undefined && logged_in_since !== undefined
  const registrations = created_since === undefined ? undefined : splitPeriod(created_since, both ? [16, 20] : [8, 16])
  const logins = logged_in_since === undefined ? undefined : splitPeriod(logged_in_since, both ? [16, 20] : [12, 16])

  const counts = (registrations?.buckets ?? allTime).flatMap((registration) =>
    (logins?.buckets ?? allTime).map((login) =>
      selectCells(knex, filter, { registration, login }).select(knex.raw('coalesce(sum(n), 0)')),
    ),
  )
  if (registrations !== undefined) {
    const edge = selectRegisteredUsers(knex, filter).where('registration', '<', registrations.remainder.until)
    counts.push(edge.count())
  }
  if (logins !== undefined) {
    const edge = selectRegisteredUsers(knex, { ...filter, created_since: registrations?.remainder.until })
    counts.push(whereLoggedInBefore(edge, logins.remainder.until).count())
  }
  return counts
}

/** Runs one statement, so that all counts are from the same snapshot. */
async function subtractCounts(
  knex: Knex,
  counts: readonly Knex.QueryBuilder[],
  subtracted: readonly Knex.QueryBuilder[],
): Promise<number> {
  const sum = [...counts.map(() => '+ ?'), ...subtracted.map(() => '- ?')].join(' ')
  const { rows } = await knex.raw<{ rows: { total: number }[] }>(`select (0 ${sum})::bigint as total`, [
    ...counts,
    ...subtracted,
  ])
  return rows[0]?.total ?? 0
}
