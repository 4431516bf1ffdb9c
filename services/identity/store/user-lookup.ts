import type { Knex } from 'knex'
import type { Link, User } from '#contracts'
import { orderByPosition } from '#database'
import { toTimestamp } from '#runtime'
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
