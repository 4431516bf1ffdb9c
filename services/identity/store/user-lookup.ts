import type { Knex } from 'knex'
import { Fault, type Link, type User } from '#contracts'
import { defineStatement, type Executor } from '#database'
import { toTimestamp } from '#runtime'
import { requireSameUser } from '../domain/same-user.ts'
import { toUser, type UserRow, userRowColumns } from './users.ts'

/** Looks up one user by one of the two IDs. */
export interface UserLookup {
  readonly site: number
  readonly by: 'identifier' | 'primary_key'
  readonly id: string
}

export interface ResolvedUser {
  readonly user: User
  readonly links: Link[]
}

/** How a caller names a user: by one ID, or by both. */
export interface GivenIds {
  readonly identifier?: string | undefined
  readonly primary_key?: string | undefined
}

/** The look-ups of the given IDs. */
export function toLookups(site: number, { identifier, primary_key }: GivenIds): UserLookup[] {
  return [
    ...(identifier === undefined ? [] : [{ site, by: 'identifier' as const, id: identifier }]),
    ...(primary_key === undefined ? [] : [{ site, by: 'primary_key' as const, id: primary_key }]),
  ]
}

const defineLocking = (lock: string) => {
  const define = (ids: string) =>
    defineStatement<UserRow>(`select ${userRowColumns} from users where site = $1 and ${ids} for ${lock}`)
  return {
    identifier: define('identifier = $2'),
    primary_key: define('primary_key = $2'),
    both: define('identifier = $2 and primary_key = $3'),
  }
}
const selectAndLock = { 'no key update': defineLocking('no key update'), update: defineLocking('update') }

/**
 * Finds the user that has the given IDs and locks it until the transaction ends. The IDs are compared under the lock: the
 * user has them when the lock is granted.
 *
 * @throws Fault `entity_not_found`, `invalid_parameter`: see `requireSameUser`
 */
export async function lockUserByIds(
  trx: Knex.Transaction,
  site: number,
  ids: GivenIds,
  lock: 'no key update' | 'update' = 'no key update',
): Promise<User> {
  const lookups = toLookups(site, ids)
  if (lookups.length === 0) throw new Fault('entity_not_found')
  const names = ids.identifier === undefined ? 'primary_key' : ids.primary_key === undefined ? 'identifier' : 'both'
  const values = [site, ...lookups.map(({ id }) => id)]
  for (;;) {
    // Postgres compares the IDs again after it waited for the lock.
    const [row] = (await selectAndLock[lock][names](trx, values)).rows
    if (row !== undefined) return toUser(row)
    // No user has these IDs, unless another transaction moved them just now: then the look-up finds their user.
    requireSameUser(await findEachUser(trx, site, lookups))
  }
}

type Row = UserRow & { readonly links: readonly Link[] }

const selectWithLinks = (condition: string, { columns = '', from = 'users' } = {}) =>
  `select ${userRowColumns},
     (select coalesce(json_agg(json_build_object(
          'link_id', link_id, 'provider', provider, 'provider_user_id', provider_user_id, 'created_at', created_at
        ) order by created_at, provider), '[]')
      from links where links.site = $1 and links.identifier = users.identifier) as links ${columns}
   from ${from} where site = $1 and ${condition}`
const selectUser = (condition: string) => defineStatement<Row>(selectWithLinks(condition))
const selectUserBy = { identifier: selectUser('identifier = $2'), primary_key: selectUser('primary_key = $2') }
const selectEach = selectUser('identifier = any($2)')

/** Finds a user with its links. */
export async function findUser(executor: Executor, { site, by, id }: UserLookup): Promise<ResolvedUser | undefined> {
  const [row] = (await selectUserBy[by](executor, [site, id])).rows
  return row && { user: toUser(row), links: row.links.map(toLink) }
}

/** The users with these identifiers and their links, unordered. */
export async function listLinkedUsers(
  executor: Executor,
  site: number,
  identifiers: readonly string[],
): Promise<ResolvedUser[]> {
  const { rows } = await selectEach(executor, [site, identifiers])
  return rows.map((row) => ({ user: toUser(row), links: row.links.map(toLink) }))
}

const selectLookups = defineStatement<Row & { readonly place: number }>(
  `${selectGiven('identifier', 2)} union all ${selectGiven('primary_key', 3)}`,
)

/** Selects the users whose column has a value of an array parameter, with their places in it. */
function selectGiven(column: 'identifier' | 'primary_key', parameter: number): string {
  const given = `unnest($${parameter}::text[]) with ordinality as given (id, place)`
  return selectWithLinks(`${column} = given.id`, { columns: ', place::integer', from: `users cross join ${given}` })
}

/**
 * The users of the look-ups in a site, in their order. In one statement: with several, a user whose ID moves in between could be
 * found by both IDs, which it never had at the same time.
 */
export async function findEachUser(
  trx: Knex.Transaction,
  site: number,
  lookups: readonly UserLookup[],
): Promise<(ResolvedUser | undefined)[]> {
  const idsBy = (by: UserLookup['by']) => lookups.map((lookup) => (lookup.by === by ? lookup.id : null))
  const { rows } = await selectLookups(trx, [site, idsBy('identifier'), idsBy('primary_key')])
  const usersByPlace = new Map(rows.map((row) => [row.place, { user: toUser(row), links: row.links.map(toLink) }]))
  return lookups.map((_, index) => usersByPlace.get(index + 1))
}

/** The time is in JSON format within the row. */
function toLink({ created_at, ...link }: Link): Link {
  return { ...link, created_at: toTimestamp(Date.parse(created_at)) }
}
