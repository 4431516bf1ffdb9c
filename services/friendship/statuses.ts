import type { Knex } from 'knex'
import { inPlace } from '#database'

export interface User {
  readonly site: number
  readonly identifier: string
}

/** Null of a user who was forgotten. */
export interface Status {
  readonly friendship_status: boolean | null
  readonly friendship_status_updated_at: Date | null
}

export async function findStatuses(knex: Knex, users: readonly User[]): Promise<readonly (Status | undefined)[]> {
  const { rows } = await knex.raw<{ rows: (Status & { place: number })[] }>(
    `select place, friendship_status, friendship_status_updated_at
     from unnest(?::integer[], ?::text[]) with ordinality as wanted (site, identifier, place)
     join statuses using (site, identifier)`,
    [users.map(({ site }) => site), users.map(({ identifier }) => identifier)],
  )
  return inPlace(rows, users.length)
}

/** Keeps a status unless a newer one is stored or the user was forgotten. */
export async function upsertStatus(knex: Knex, { site, identifier }: User, status: Status): Promise<void> {
  await knex.raw(
    `insert into statuses as stored (site, identifier, friendship_status, friendship_status_updated_at)
     values (:site, :identifier, :friendship_status, :friendship_status_updated_at)
     on conflict (site, identifier) do update set
       friendship_status = excluded.friendship_status,
       friendship_status_updated_at = excluded.friendship_status_updated_at
     where not stored.forgotten and stored.friendship_status_updated_at <= excluded.friendship_status_updated_at`,
    { site, identifier, ...status },
  )
}

/** Empties the user's row for good; it is made if there is none. */
export async function updateToForgotten(knex: Knex, { site, identifier }: User): Promise<void> {
  await knex.raw(
    `insert into statuses (site, identifier, forgotten) values (?, ?, true)
     on conflict (site, identifier) do update set
       forgotten = true, friendship_status = null, friendship_status_updated_at = null`,
    [site, identifier],
  )
}
