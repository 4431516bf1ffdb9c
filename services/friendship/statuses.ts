import type { Knex } from 'knex'
import { inPlace } from '#database'

export interface User {
  readonly site: number
  readonly identifier: string
}

export interface Status {
  /** Null: not known; with a time, as the provider was unlinked then. */
  readonly friendship_status: boolean | null
  readonly friendship_status_updated_at: Date | null
}

/** A user's row: what there is from a moment on. */
export interface StoredStatus extends Status {
  readonly identifier: string
  /** When a merge brought the status to the user, if one did. */
  readonly brought_at: Date | null
  readonly forgotten: boolean
  /** Of a user who was merged: the other user, and when. */
  readonly merged_into: string | null
  readonly merged_at: Date | null
}

export async function findStatuses(knex: Knex, users: readonly User[]): Promise<readonly (Status | undefined)[]> {
  const { rows } = await knex.raw<{ rows: (Status & { place: number })[] }>(
    `select place, friendship_status, friendship_status_updated_at
     from unnest(?::integer[], ?::text[]) with ordinality as wanted (site, identifier, place)
     join statuses using (site, identifier)
     where friendship_status is not null`,
    [users.map(({ site }) => site), users.map(({ identifier }) => identifier)],
  )
  return inPlace(rows, users.length)
}

/** The user's row, made if need be, and kept from other changes until the transaction ends. */
export async function lockStatus(trx: Knex.Transaction, { site, identifier }: User): Promise<StoredStatus> {
  const { rows } = await trx.raw<{ rows: [StoredStatus] }>(
    `insert into statuses (site, identifier) values (?, ?)
     on conflict (site, identifier) do update set forgotten = statuses.forgotten
     returning *`,
    [site, identifier],
  )
  return rows[0]
}

export async function updateStatus(
  trx: Knex.Transaction,
  { site, identifier }: User,
  changes: Partial<StoredStatus>,
): Promise<void> {
  await trx('statuses').where({ site, identifier }).update(changes)
}

/** Empties the user's row for good; it is made if there is none. */
export async function updateToForgotten(knex: Knex, { site, identifier }: User): Promise<void> {
  await knex.raw(
    `insert into statuses (site, identifier, forgotten) values (?, ?, true)
     on conflict (site, identifier) do update set
       forgotten = true, friendship_status = null, friendship_status_updated_at = null, brought_at = null`,
    [site, identifier],
  )
}
