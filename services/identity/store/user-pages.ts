import type { Knex } from 'knex'
import { lowestIdentifierAt } from '../domain/periods.ts'
import { findBucketAt, findDaysAfter } from './user-buckets.ts'
import { selectUsers, type UserFilter, whereLoggedInSince } from './user-filter.ts'
import { countEarlierRegistrations, countUsers } from './user-totals.ts'

/** Identifiers are in the order of registration: `asc` is oldest first. */
type Order = 'asc' | 'desc'

/** The identifiers of the filter's users after one of them in the given order. */
export async function listPageAfter(
  knex: Knex,
  filter: UserFilter,
  after: string,
  limit: number,
  order: Order = 'asc',
): Promise<string[]> {
  if (!(await isSortingCheaper(knex, filter, limit))) return scanAfter(knex, filter, after, limit, order)
  return selectSorted(knex, whereAfter(selectUsers(knex, filter), after, order), 0, limit, order)
}

/** The identifiers of the filter's users after so many of them; what it costs does not grow with how many. */
export async function listPageFrom(knex: Knex, filter: UserFilter, skip: number, limit: number): Promise<string[]> {
  if (await isSortingCheaper(knex, filter, limit)) return selectSorted(knex, selectUsers(knex, filter), skip, limit)
  return skip === 0 ? scanAfter(knex, filter, '', limit) : scanFrom(knex, filter, skip, limit)
}

/**
 * As `listFrom`, newest first. The page is the range of `listFrom` that has as many users after it, reversed: `total` is
 * `countUsers` of the filter in the same snapshot.
 */
export async function listNewestPage(
  knex: Knex,
  filter: UserFilter,
  { skip, limit, total }: { readonly skip: number; readonly limit: number; readonly total: number },
): Promise<string[]> {
  const end = total - skip
  if (end <= 0) return []
  const begin = Math.max(0, end - limit)
  return (await listPageFrom(knex, filter, begin, end - begin)).reverse()
}

/**
 * Whether it is less work to read all who logged in lately and sort them than to look for them in the identifiers'
 * order. Among n of N users that takes limit · N / n steps, which are n when n² = limit · N.
 */
async function isSortingCheaper(knex: Knex, { site, logged_in_since }: UserFilter, limit: number): Promise<boolean> {
  if (logged_in_since === undefined) return false
  const recentUsers = await countUsers(knex, { site, logged_in_since })
  return recentUsers ** 2 <= limit * (await countUsers(knex, { site }))
}

function selectInOrder(users: Knex.QueryBuilder, skip: number, limit: number, order: Order = 'asc'): Promise<string[]> {
  return users.orderBy('identifier', order).offset(skip).limit(limit).pluck('identifier')
}

function whereAfter(users: Knex.QueryBuilder, identifier: string, order: Order): Knex.QueryBuilder {
  return users.where('identifier', order === 'asc' ? '>' : '<', identifier)
}

function selectSorted(
  knex: Knex,
  users: Knex.QueryBuilder,
  skip: number,
  limit: number,
  order: Order = 'asc',
): Promise<string[]> {
  return selectInOrder(knex.withMaterialized('few', users.select('identifier')).from('few'), skip, limit, order)
}

/**
 * As `listFrom`, on the way by counts: at most the users who arrived in four minutes – in a day with `logged_in_since` –
 * are stepped over. With `logged_in_since` those whose last login is in the day at the period's edge are read as well,
 * with `created_since` those whom a merge made older than the period they arrived in.
 */
export async function scanFrom(knex: Knex, filter: UserFilter, skip: number, limit: number): Promise<string[]> {
  const position = await findStartPosition(knex, filter, skip)
  if (position === undefined) return []
  return selectInOrder(selectUsers(knex, filter).where('identifier', '>=', position.from), position.skip, limit)
}

/**
 * As `listAfter`, in the identifiers' order. When a stretch of `look_through` users has not enough who logged in lately,
 * counts tell where there are more: many may have come at once and never again.
 */
export async function scanAfter(
  knex: Knex,
  filter: UserFilter,
  after: string,
  limit: number,
  order: Order = 'asc',
  scanLimit = 20_000,
): Promise<string[]> {
  const { logged_in_since } = filter
  if (logged_in_since === undefined)
    return selectInOrder(whereAfter(selectUsers(knex, filter), after, order), 0, limit, order)
  const next = whereAfter(selectUsers(knex, { ...filter, logged_in_since: undefined }), after, order)
  const scanned = knex.from(next.clone().orderBy('identifier', order).limit(scanLimit).as('next'))
  const found = await selectInOrder(whereLoggedInSince(scanned, logged_in_since), 0, limit, order)
  if (found.length === limit || (await selectInOrder(next, scanLimit, 1, order)).length === 0) return found
  const days = await findDaysAfter(knex, filter, after, limit, order)
  const matching = whereAfter(selectUsers(knex, filter), after, order).select('identifier')
  const inDays = matching.whereRaw('identifier >= day.first and identifier < day.below')
  const first = days.map((day) => lowestIdentifierAt(day * 2 ** 16))
  const below = days.map((day) => lowestIdentifierAt((day + 1) * 2 ** 16))
  const bounds = knex.raw('unnest(?::text[], ?::text[]) as day (first, below)', [first, below])
  return selectInOrder(knex.from(knex.raw('? cross join lateral ? as users', [bounds, inDays])), 0, limit, order)
}

/** Where to begin reading, and how many of the filter's users to step over there, to have skipped so many. */
async function findStartPosition(
  knex: Knex,
  filter: UserFilter,
  skip: number,
): Promise<{ from: string; skip: number } | undefined> {
  const { created_since = 0, logged_in_since } = filter
  if (skip === 0 && logged_in_since === undefined) return { from: lowestIdentifierAt(created_since), skip }
  const [longer, shorter] = logged_in_since === undefined ? ([16, 8] as const) : ([20, 16] as const)
  const earlier = await countEarlierRegistrations(knex, filter)
  const outer = await findBucketAt(knex, filter, { shift: longer, from: 0, below: null }, earlier + skip)
  if (outer === undefined) return undefined
  const factor = 2 ** (longer - shorter)
  const within = { shift: shorter, from: outer.registration * factor, below: (outer.registration + 1) * factor }
  const inner = await findBucketAt(knex, filter, within, outer.skip)
  if (inner === undefined) return undefined
  const begin = inner.registration * 2 ** shorter
  // The period begins within the stretch, so all that are skipped are there.
  return begin < created_since
    ? { from: lowestIdentifierAt(created_since), skip }
    : { from: lowestIdentifierAt(begin), skip: inner.skip }
}
