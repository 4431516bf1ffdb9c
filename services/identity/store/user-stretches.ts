import type { Knex } from 'knex'
import { firstIdentifier, part, type Stretches } from '../domain/periods.ts'
import { always, cellsOf } from './user-counts.ts'
import { backdatedUsersOf, loggedInBefore, type UserFilter, usersOf } from './user-filter.ts'

/**
 * The stretch of arrivals in which so many of the filter's users were skipped, and how many of them in it. Those who
 * arrived before the creation period are skipped too, as if they were of the filter.
 */
export async function stretchAt(
  knex: Knex,
  filter: UserFilter,
  arrivals: Stretches,
  skip: number,
): Promise<{ arrival: number; skip: number } | undefined> {
  const { rows } = await knex.raw<{ rows: { arrival: number; skip: number }[] }>(
    `select arrival, (? - passed + n)::bigint as skip
     from (select arrival, n, sum(n) over (order by arrival) as passed from ? as stretches) as walk
     where passed > ?
     order by arrival
     limit 1`,
    [skip, stretchesOf(knex, filter, arrivals), skip],
  )
  return rows[0]
}

/**
 * Days (2^16 s) of arrivals that together hold so many of the filter's users in the given order, not counting the first day:
 * that of this user or, if it is later, the one in which the creation period begins.
 */
export async function daysBeyond(
  knex: Knex,
  filter: UserFilter,
  identifier: string,
  limit: number,
  order: 'asc' | 'desc',
): Promise<number[]> {
  const arrival = Number.parseInt(identifier.slice(0, 8), 16) || 0
  const first = dayOf(filter.created_since ?? 0)
  const day = Math.max(dayOf(arrival), first)
  const others = order === 'asc' ? { from: day + 1, below: null } : { from: first, below: day }
  const { rows } = await knex.raw<{ rows: { arrival: number }[] }>(
    `select arrival
     from (select arrival, n, sum(n) over (order by arrival ${order}) - n as passed from ? as stretches) as walk
     where n > 0 and passed < ?
     order by arrival`,
    [stretchesOf(knex, filter, { shift: 16, ...others }), limit],
  )
  return [day, ...rows.map((row) => row.arrival)]
}

/** @param at Unix time in seconds */
function dayOf(at: number): number {
  return Math.floor(at / 2 ** 16)
}

/** Stretches of arrivals with the number `n` of users in them, as a subselect. */
function stretchesOf(knex: Knex, filter: UserFilter, arrivals: Stretches): Knex.Raw {
  const { created_since, logged_in_since, site, mapped } = filter
  const { shift, from, below } = arrivals
  const logins = logged_in_since === undefined ? undefined : part(logged_in_since, [16, 20])
  const parts = (logins?.stretches ?? always).map((login) =>
    cellsOf(knex, filter, { arrival: arrivals, login }).select('arrival', 'n'),
  )
  const oneByOne = (users: Knex.QueryBuilder, n: 1 | -1) => {
    users.where('identifier', '>=', firstIdentifier(from * 2 ** shift))
    if (below !== null) users.where('identifier', '<', firstIdentifier(below * 2 ** shift))
    parts.push(users.select(knex.raw('user_arrival(identifier) >> ? as arrival, ? as n', [shift, n])))
  }
  if (logins !== undefined) {
    oneByOne(loggedInBefore(usersOf(knex, { site, mapped, logged_in_since }), logins.edge.until), 1)
  }
  if (created_since !== undefined) oneByOne(backdatedUsersOf(knex, { ...filter, created_since }), -1)
  const union = parts.map(() => '?').join(' union all ')
  return knex.raw(`(select arrival, sum(n) as n from (${union}) as parts group by arrival)`, parts)
}
