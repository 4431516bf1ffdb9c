import type { Knex } from 'knex'
import type { ListPosition } from '../domain/list-position.ts'
import { type BucketRange, splitPeriod } from '../domain/periods.ts'
import { allTime, selectCells } from './user-counts.ts'
import { selectBackdatedUsers, selectUsers, type UserFilter, whereLoggedInBefore } from './user-filter.ts'

/**
 * The registration bucket that contains the user after `skip` users of the filter, and how many users to skip in it. Users
 * who registered before the creation period count as users of the filter.
 */
export async function findBucketAt(
  knex: Knex,
  filter: UserFilter,
  registrations: BucketRange,
  skip: number,
): Promise<{ registration: number; skip: number } | undefined> {
  const { rows } = await knex.raw<{ rows: { registration: number; skip: number }[] }>(
    `select registration, (? - passed + n)::bigint as skip
     from (select registration, n, sum(n) over (order by registration) as passed from ? as buckets) as walk
     where passed > ?
     order by registration
     limit 1`,
    [skip, selectBuckets(knex, filter, registrations), skip],
  )
  return rows[0]
}

/**
 * Days (2^16 s) of registrations that together have `limit` users of the filter in the given order, after the first day: the
 * day of this position or, if later, the day in which the creation period starts.
 */
export async function findDaysAfter(
  knex: Knex,
  filter: UserFilter,
  { registration }: ListPosition,
  limit: number,
  order: 'asc' | 'desc',
): Promise<number[]> {
  const first = dayOf(filter.created_since ?? 0)
  const day = Math.max(dayOf(registration), first)
  const others = order === 'asc' ? { from: day + 1, below: null } : { from: first, below: day }
  const { rows } = await knex.raw<{ rows: { registration: number }[] }>(
    `select registration
     from (select registration, n, sum(n) over (order by registration ${order}) - n as passed from ? as buckets) as walk
     where n > 0 and passed < ?
     order by registration`,
    [selectBuckets(knex, filter, { shift: 16, ...others }), limit],
  )
  return [day, ...rows.map((row) => row.registration)]
}

/** @param at Unix time in seconds */
function dayOf(at: number): number {
  return Math.floor(at / 2 ** 16)
}

/** A subselect of registration buckets with their number `n` of users. */
function selectBuckets(knex: Knex, filter: UserFilter, registrations: BucketRange): Knex.Raw {
  const { created_since, logged_in_since, site, mapped } = filter
  const { shift, from, below } = registrations
  const logins = logged_in_since === undefined ? undefined : splitPeriod(logged_in_since, [16, 20])
  const parts = (logins?.buckets ?? allTime).map((login) =>
    selectCells(knex, filter, { registration: registrations, login }).select('registration', 'n'),
  )
  const addUsers = (users: Knex.QueryBuilder, n: 1 | -1) => {
    users.where('registration', '>=', from * 2 ** shift)
    if (below !== null) users.where('registration', '<', below * 2 ** shift)
    parts.push(users.select(knex.raw('registration >> ? as registration, ? as n', [shift, n])))
  }
  if (logins !== undefined) {
    addUsers(whereLoggedInBefore(selectUsers(knex, { site, mapped, logged_in_since }), logins.remainder.until), 1)
  }
  if (created_since !== undefined) addUsers(selectBackdatedUsers(knex, { ...filter, created_since }), -1)
  const union = parts.map(() => '?').join(' union all ')
  return knex.raw(`(select registration, sum(n) as n from (${union}) as parts group by registration)`, parts)
}
