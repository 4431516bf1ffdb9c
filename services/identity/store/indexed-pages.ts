import { defineStatement, type Executor } from '#database'
import { beforeEveryUser, type ListPosition } from '../domain/list-position.ts'
import { usersNearEnd } from './near-end.ts'
import type { UserFilter } from './user-filter.ts'

/** A filter without periods: an index of `users` contains exactly its users, in order. */
type IndexedFilter = Pick<UserFilter, 'site' | 'mapped'>

interface CountedPage {
  readonly total: number
  readonly users: ListPosition[]
}

interface PageRow {
  readonly total: number
  readonly identifiers: readonly string[]
  readonly registrations: readonly number[]
}

/** Total and page in one statement, so they are from the same snapshot without a transaction. */
function definePage(mapped: UserFilter['mapped'], page: string) {
  const n = { mapped_only: 'n_mapped', not_mapped_only: 'n_all - n_mapped', all: 'n_all' }[mapped ?? 'all']
  const primaryKey = { mapped_only: 'is not null', not_mapped_only: 'is null' }
  const users = `from users where site = $1 ${mapped ? `and primary_key ${primaryKey[mapped]}` : ''}`
  return defineStatement<PageRow>(
    `with counted as (
       select coalesce(sum(${n}), 0)::bigint as total from user_counts_now
       where site = $1 and registration_shift = 32 and login_shift = 32 and registration = 0 and login = 0
     ), page as materialized (select registration, identifier ${users} ${page})
     select total, array(select identifier from page) as identifiers,
       array(select registration::float8 from page) as registrations
     from counted`,
  )
}

const forEachFilter = (page: string) => ({
  all: definePage(undefined, page),
  mapped_only: definePage('mapped_only', page),
  not_mapped_only: definePage('not_mapped_only', page),
})

const pageAfter = forEachFilter(
  'and (registration, identifier) > ($2::bigint, $3) order by registration, identifier limit $4',
)

const left = '(select total from counted) - $2::bigint'
const usersLeft = forEachFilter(
  `order by registration desc, identifier desc
   limit case when ${left} between 1 and ${usersNearEnd} then ${left} else 0 end`,
)

/**
 * The users after a position, or after skipping some, oldest first. Undefined if more than `usersNearEnd` users are before and
 * after the page.
 */
export async function readIndexedPage(
  executor: Executor,
  filter: IndexedFilter,
  { after, skip, limit }: { readonly after?: ListPosition | undefined; readonly skip: number; readonly limit: number },
): Promise<CountedPage | undefined> {
  if (after !== undefined) return readPageAfter(executor, filter, after, limit)
  if (skip > usersNearEnd) return readPageNearEnd(executor, filter, skip, limit)
  const { total, users } = await readPageAfter(executor, filter, beforeEveryUser, skip + limit)
  return { total, users: users.slice(skip) }
}

async function readPageAfter(
  executor: Executor,
  { site, mapped }: IndexedFilter,
  { registration, identifier }: ListPosition,
  limit: number,
): Promise<CountedPage> {
  return toPage((await pageAfter[mapped ?? 'all'](executor, [site, registration, identifier, limit])).rows)
}

/** Undefined if more than `usersNearEnd` users are left after those skipped. */
export async function readPageNearEnd(
  executor: Executor,
  { site, mapped }: IndexedFilter,
  skip: number,
  limit: number,
): Promise<CountedPage | undefined> {
  const { total, users } = toPage((await usersLeft[mapped ?? 'all'](executor, [site, skip])).rows)
  return total - skip > usersNearEnd ? undefined : { total, users: users.reverse().slice(0, limit) }
}

function toPage([row]: readonly PageRow[]): CountedPage {
  if (row === undefined) throw new Error('The statement returned no row.')
  const { total, identifiers, registrations } = row
  return {
    total,
    users: identifiers.map((identifier, index) => ({ registration: registrations[index] ?? 0, identifier })),
  }
}
