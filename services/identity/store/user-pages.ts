import type { Knex } from 'knex'
import { firstIdentifier, part, type Stretches } from '../domain/periods.ts'
import { always, cellsOf } from './user-counts.ts'
import { backdatedUsersOf, loggedInBefore, type UserFilter, usersOf } from './user-filter.ts'
import { countEarlierArrivals, countUsers } from './user-totals.ts'

/** The identifiers of the filter's users after one of them, in their own order, which is that of arrival. */
export async function listAfter(knex: Knex, filter: UserFilter, after: string, limit: number): Promise<string[]> {
  const users = usersOf(knex, filter).where('identifier', '>', after)
  return (await sortingIsLess(knex, filter, limit)) ? sorted(knex, users, 0, limit) : inOrder(users, 0, limit)
}

/** The identifiers of the filter's users after so many of them; what it costs does not grow with how many. */
export async function listFrom(knex: Knex, filter: UserFilter, skip: number, limit: number): Promise<string[]> {
  const few = await sortingIsLess(knex, filter, limit)
  return few ? sorted(knex, usersOf(knex, filter), skip, limit) : walkFrom(knex, filter, skip, limit)
}

/**
 * As `listFrom`, on the way by counts: at most the users who arrived in four minutes – in a day with `logged_in_since` –
 * are stepped over. With `logged_in_since` those whose last login is in the day at the period's edge are read as well,
 * with `created_since` those whom a merge made older than the period they arrived in.
 */
export async function walkFrom(knex: Knex, filter: UserFilter, skip: number, limit: number): Promise<string[]> {
  const place = await findPlace(knex, filter, skip)
  if (place === undefined) return []
  return inOrder(usersOf(knex, filter).where('identifier', '>=', place.from), place.skip, limit)
}

/**
 * Whether it is less work to read all who logged in lately and sort them than to look for them in the identifiers'
 * order. Among n of N users that takes limit · N / n steps, which are n when n² = limit · N. It presumes logins spread
 * evenly over arrivals: where nobody of long stretches logged in, a page after such a stretch takes longer to find.
 */
async function sortingIsLess(knex: Knex, { site, logged_in_since }: UserFilter, limit: number): Promise<boolean> {
  if (logged_in_since === undefined) return false
  const lately = await countUsers(knex, { site, logged_in_since })
  return lately ** 2 <= limit * (await countUsers(knex, { site }))
}

function inOrder(users: Knex.QueryBuilder, skip: number, limit: number): Promise<string[]> {
  return users.orderBy('identifier').offset(skip).limit(limit).pluck('identifier')
}

function sorted(knex: Knex, users: Knex.QueryBuilder, skip: number, limit: number): Promise<string[]> {
  return inOrder(knex.withMaterialized('few', users.select('identifier')).from('few'), skip, limit)
}

/** Where to begin reading, and how many of the filter's users to step over there, to have skipped so many. */
async function findPlace(
  knex: Knex,
  filter: UserFilter,
  skip: number,
): Promise<{ from: string; skip: number } | undefined> {
  const { created_since = 0, logged_in_since } = filter
  if (skip === 0 && logged_in_since === undefined) return { from: firstIdentifier(created_since), skip }
  const [longer, shorter] = logged_in_since === undefined ? ([16, 8] as const) : ([20, 16] as const)
  const earlier = await countEarlierArrivals(knex, filter)
  const outer = await stretchAt(knex, filter, { shift: longer, from: 0, below: null }, earlier + skip)
  if (outer === undefined) return undefined
  const factor = 2 ** (longer - shorter)
  const within = { shift: shorter, from: outer.arrival * factor, below: (outer.arrival + 1) * factor }
  const inner = await stretchAt(knex, filter, within, outer.skip)
  if (inner === undefined) return undefined
  const begin = inner.arrival * 2 ** shorter
  // The period begins within the stretch, so all that are skipped are there.
  return begin < created_since
    ? { from: firstIdentifier(created_since), skip }
    : { from: firstIdentifier(begin), skip: inner.skip }
}

/** The stretch of arrivals in which so many of the filter's users, of any creation, were skipped, and how many of them in it. */
async function stretchAt(
  knex: Knex,
  filter: UserFilter,
  arrival: Stretches,
  skip: number,
): Promise<{ arrival: number; skip: number } | undefined> {
  const { created_since, logged_in_since, site, mapped } = filter
  const logins = logged_in_since === undefined ? undefined : part(logged_in_since, [16, 20])
  const parts = (logins?.stretches ?? always).map((login) =>
    cellsOf(knex, filter, { arrival, login }).select('arrival', 'n'),
  )
  const one_by_one = (users: Knex.QueryBuilder, n: 1 | -1) => {
    users.where('identifier', '>=', firstIdentifier(arrival.from * 2 ** arrival.shift))
    if (arrival.below !== null) users.where('identifier', '<', firstIdentifier(arrival.below * 2 ** arrival.shift))
    parts.push(users.select(knex.raw('user_arrival(identifier) >> ? as arrival, ? as n', [arrival.shift, n])))
  }
  if (logins !== undefined) {
    one_by_one(loggedInBefore(usersOf(knex, { site, mapped, logged_in_since }), logins.edge.until), 1)
  }
  if (created_since !== undefined) one_by_one(backdatedUsersOf(knex, { ...filter, created_since }), -1)
  const { rows } = await knex.raw<{ rows: { arrival: number; skip: number }[] }>(
    `select arrival, (? - passed + n)::bigint as skip
     from (
       select arrival, n, sum(n) over (order by arrival) as passed
       from (select arrival, sum(n) as n from (${parts.map(() => '?').join(' union all ')}) as parts group by arrival) as stretches
     ) as walk
     where passed > ?
     order by arrival
     limit 1`,
    [skip, ...parts, skip],
  )
  return rows[0]
}
