import type { Knex } from 'knex'
import { afterEveryUser, beforeEveryUser, type ListPosition } from '../domain/list-position.ts'
import { usersNearEnd } from './near-end.ts'
import { findBucketAt, findDaysAfter } from './user-buckets.ts'
import { selectBlockedUsers, selectUsers, type UserFilter, whereLoggedInSince } from './user-filter.ts'
import { countEarlierRegistrations, countUsers } from './user-totals.ts'

/** Users are in the order of registration: `asc` is oldest first. */
type Order = 'asc' | 'desc'

/** The filter's users after a position, in the given order. */
export async function listPageAfter(
  knex: Knex,
  filter: UserFilter,
  after: ListPosition,
  limit: number,
  order: Order = 'asc',
): Promise<ListPosition[]> {
  if (!(await isSortingCheaper(knex, filter, limit))) return scanAfter(knex, filter, after, limit, order)
  return selectSorted(knex, whereAfter(selectUsers(knex, filter), after, order), 0, limit, order)
}

/** Blocked users of the filter: their number, and those after a position or after skipping some. They are counted one by one. */
export async function listBlockedUsers(
  knex: Knex,
  filter: UserFilter,
  { after, skip, limit, order }: { after: ListPosition | undefined; skip: number; limit: number; order: Order },
): Promise<{ total: number; users: ListPosition[] }> {
  const [counted] = await selectBlockedUsers(knex, filter).count<{ count: number }[]>()
  const users = selectBlockedUsers(knex, filter)
  const remaining = after === undefined ? users : whereAfter(users, after, order)
  return { total: Number(counted?.count ?? 0), users: await selectInOrder(remaining, skip, limit, order) }
}

/** A part of a list. `total` must be `countUsers` of the filter in the same snapshot. */
export interface PageRange {
  readonly skip: number
  readonly limit: number
  readonly total: number
}

/** The filter's users after skipping some. The cost does not depend on how many are skipped. */
export async function listPageFrom(
  knex: Knex,
  filter: UserFilter,
  { skip, limit, total }: PageRange,
): Promise<ListPosition[]> {
  const left = total - skip
  if (left <= 0) return []
  if (await isSortingCheaper(knex, filter, limit)) return selectSorted(knex, selectUsers(knex, filter), skip, limit)
  if (skip <= usersNearEnd) return (await scanAfter(knex, filter, beforeEveryUser, skip + limit)).slice(skip)
  if (left <= usersNearEnd)
    return (await scanAfter(knex, filter, afterEveryUser, left, 'desc')).reverse().slice(0, limit)
  return scanFrom(knex, filter, skip, limit)
}

/** As `listPageFrom`, newest first: the reversed page at the same distance from the end. */
export async function listNewestPage(
  knex: Knex,
  filter: UserFilter,
  { skip, limit, total }: PageRange,
): Promise<ListPosition[]> {
  const end = total - skip
  if (end <= 0) return []
  const begin = Math.max(0, end - limit)
  return (await listPageFrom(knex, filter, { skip: begin, limit: end - begin, total })).reverse()
}

/**
 * Whether reading and sorting all users who logged in recently is cheaper than finding them in the order of registration.
 * With n of N users, the latter takes limit · N / n steps, which is n if n² = limit · N.
 */
async function isSortingCheaper(knex: Knex, { site, logged_in_since }: UserFilter, limit: number): Promise<boolean> {
  if (logged_in_since === undefined) return false
  const recentUsers = await countUsers(knex, { site, logged_in_since })
  return recentUsers ** 2 <= limit * (await countUsers(knex, { site }))
}

function orderUsers(users: Knex.QueryBuilder, order: Order): Knex.QueryBuilder {
  return users.orderBy([
    { column: 'registration', order },
    { column: 'identifier', order },
  ])
}

function selectInOrder(
  users: Knex.QueryBuilder,
  skip: number,
  limit: number,
  order: Order = 'asc',
): Promise<ListPosition[]> {
  return orderUsers(users, order).offset(skip).limit(limit).select<ListPosition[]>('registration', 'identifier')
}

function whereAfter(
  users: Knex.QueryBuilder,
  { registration, identifier }: ListPosition,
  order: Order,
): Knex.QueryBuilder {
  const comparison = order === 'asc' ? '>' : '<'
  return users.whereRaw(`(registration, identifier) ${comparison} (?, ?)`, [registration, identifier])
}

function selectSorted(
  knex: Knex,
  users: Knex.QueryBuilder,
  skip: number,
  limit: number,
  order: Order = 'asc',
): Promise<ListPosition[]> {
  const few = knex.withMaterialized('few', users.select('registration', 'identifier')).from('few')
  return selectInOrder(few, skip, limit, order)
}

/**
 * As `listPageFrom`, using counts: skips at most the users who registered in four minutes, or in a day with
 * `logged_in_since`. With `logged_in_since`, also reads users whose last login is on the first day of the period; with
 * `created_since`, also users with an earlier creation time from a merge than the period in which they registered.
 */
export async function scanFrom(knex: Knex, filter: UserFilter, skip: number, limit: number): Promise<ListPosition[]> {
  const position = await findStartPosition(knex, filter, skip)
  if (position === undefined) return []
  return selectInOrder(selectUsers(knex, filter).where('registration', '>=', position.from), position.skip, limit)
}

/**
 * As `listPageAfter`, in the order of registration. If `scanLimit` users include too few who logged in recently, counts
 * find the next ones: many users may have registered at once and never returned.
 */
export async function scanAfter(
  knex: Knex,
  filter: UserFilter,
  after: ListPosition,
  limit: number,
  order: Order = 'asc',
  scanLimit = 20_000,
): Promise<ListPosition[]> {
  const { logged_in_since } = filter
  if (logged_in_since === undefined)
    return selectInOrder(whereAfter(selectUsers(knex, filter), after, order), 0, limit, order)
  const next = whereAfter(selectUsers(knex, { ...filter, logged_in_since: undefined }), after, order)
  const scanned = knex.from(orderUsers(next.clone(), order).limit(scanLimit).as('next'))
  const users = await selectInOrder(whereLoggedInSince(scanned, logged_in_since), 0, limit, order)
  if (users.length === limit || (await selectInOrder(next, scanLimit, 1, order)).length === 0) return users
  const days = await findDaysAfter(knex, filter, after, limit, order)
  const matching = whereAfter(selectUsers(knex, filter), after, order).select('registration', 'identifier')
  const inDays = matching.whereRaw('registration >= day.first and registration < day.below')
  const first = days.map((day) => day * 2 ** 16)
  const below = days.map((day) => (day + 1) * 2 ** 16)
  const bounds = knex.raw('unnest(?::bigint[], ?::bigint[]) as day (first, below)', [first, below])
  return selectInOrder(knex.from(knex.raw('? cross join lateral ? as users', [bounds, inDays])), 0, limit, order)
}

/** From which registration to read, and how many of the filter's users to skip there. */
async function findStartPosition(
  knex: Knex,
  filter: UserFilter,
  skip: number,
): Promise<{ from: number; skip: number } | undefined> {
  const { created_since = 0, logged_in_since } = filter
  if (skip === 0 && logged_in_since === undefined) return { from: created_since, skip }
  const [longer, shorter] = logged_in_since === undefined ? ([16, 8] as const) : ([20, 16] as const)
  const earlier = await countEarlierRegistrations(knex, filter)
  const outer = await findBucketAt(knex, filter, { shift: longer, from: 0, below: null }, earlier + skip)
  if (outer === undefined) return undefined
  const factor = 2 ** (longer - shorter)
  const within = { shift: shorter, from: outer.registration * factor, below: (outer.registration + 1) * factor }
  const inner = await findBucketAt(knex, filter, within, outer.skip)
  if (inner === undefined) return undefined
  const begin = inner.registration * 2 ** shorter
  // The period starts within the bucket, so all skipped users are in it.
  return begin < created_since ? { from: created_since, skip } : { from: begin, skip: inner.skip }
}
