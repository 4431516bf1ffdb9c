import type { Knex } from 'knex'
import { Fault, type Link, type User } from '#contracts'
import { orderByPosition } from '#database'
import { toTimestamp } from '#runtime'
import { requireSameUser } from '../domain/same-user.ts'
import { toUser, type UserRow } from './users.ts'

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
  const values = Object.fromEntries(lookups.map(({ by, id }) => [by, id]))
  for (;;) {
    const matching = trx('users').where({ site, ...values })
    // Postgres compares the IDs again after it waited for the lock.
    const row: UserRow | undefined = await (lock === 'update'
      ? matching.forUpdate()
      : matching.forNoKeyUpdate()
    ).first()
    if (row !== undefined) return toUser(row)
    // No user has these IDs, unless another transaction moved them just now: then the look-up finds their user.
    requireSameUser(await lookUpUsers(trx, lookups))
  }
}

type Row = UserRow & { readonly position: number; readonly links: readonly Link[] }

/** Users with their links, in the order of the look-ups, with one statement of index scans. */
export async function lookUpUsers(
  knex: Knex,
  lookups: readonly UserLookup[],
): Promise<readonly (ResolvedUser | undefined)[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `with found as (
       select position, users.*
       from unnest(?::integer[], ?::text[], ?::integer[]) as wanted (site, identifier, position)
       join users using (site, identifier)
       union all
       select position, users.*
       from unnest(?::integer[], ?::text[], ?::integer[]) as wanted (site, primary_key, position)
       join users using (site, primary_key)
     )
     select found.*,
            array(
              select json_build_object(
                'link_id', link_id, 'provider', provider, 'provider_user_id', provider_user_id, 'created_at', created_at
              )
              from links
              where links.site = found.site and links.identifier = found.identifier
              order by created_at, provider
            ) as links
     from found`,
    [...toColumns(lookups, 'identifier'), ...toColumns(lookups, 'primary_key')],
  )
  const found = orderByPosition(rows, lookups.length)
  return found.map((row) => row && { user: toUser(row), links: row.links.map(toLink) })
}

function toColumns(wanted: readonly UserLookup[], by: UserLookup['by']): [number[], string[], number[]] {
  const these = wanted.map((one, index) => ({ ...one, position: index + 1 })).filter((one) => one.by === by)
  return [these.map(({ site }) => site), these.map(({ id }) => id), these.map(({ position }) => position)]
}

/** The time is in JSON format within the row. */
function toLink({ created_at, ...link }: Link): Link {
  return { ...link, created_at: toTimestamp(Date.parse(created_at)) }
}
