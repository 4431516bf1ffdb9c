import type { Knex } from 'knex'
import type { Link, User } from '#contracts'
import { orderByPosition } from '#database'
import { toTimestamp } from '#runtime'
import { toUser, type UserRow } from './users.ts'

/** One user wanted, by one of the two ids. */
export interface LookUp {
  readonly site: number
  readonly by: 'identifier' | 'primary_key'
  readonly id: string
}

export interface ResolvedUser {
  readonly user: User
  readonly links: Link[]
}

type Row = UserRow & { readonly place: number; readonly links: readonly Link[] }

/** Users with their links, each at the place of its look-up; one statement of index look-ups, however many are wanted. */
export async function findUsers(knex: Knex, wanted: readonly LookUp[]): Promise<readonly (ResolvedUser | undefined)[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `with found as (
       select place, users.*
       from unnest(?::integer[], ?::text[], ?::integer[]) as wanted (site, identifier, place)
       join users using (site, identifier)
       union all
       select place, users.*
       from unnest(?::integer[], ?::text[], ?::integer[]) as wanted (site, primary_key, place)
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
    [...columnsOf(wanted, 'identifier'), ...columnsOf(wanted, 'primary_key')],
  )
  const found = orderByPosition(rows, wanted.length)
  return found.map((row) => row && { user: toUser(row), links: row.links.map(toLink) })
}

function columnsOf(wanted: readonly LookUp[], by: LookUp['by']): [number[], string[], number[]] {
  const these = wanted.map((one, index) => ({ ...one, place: index + 1 })).filter((one) => one.by === by)
  return [these.map(({ site }) => site), these.map(({ id }) => id), these.map(({ place }) => place)]
}

/** Inside the row the time is written as JSON has it. */
function toLink({ created_at, ...link }: Link): Link {
  return { ...link, created_at: toTimestamp(Date.parse(created_at)) }
}
