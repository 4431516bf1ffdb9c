import type { Knex } from 'knex'
import { defineStatement, type Executor } from '#database'

/** The link of a messaging account. Link IDs are unique; the site locates the data. */
export interface LinkKey {
  readonly site: number
  readonly link_id: string
}

export interface Status {
  readonly friendship_status: boolean
  readonly friendship_status_updated_at: Date
}

const selectStatus = defineStatement<Status>(
  'select friendship_status, friendship_status_updated_at from statuses where site = $1 and link_id = $2',
)

export async function findStatus(executor: Executor, { site, link_id }: LinkKey): Promise<Status | undefined> {
  return (await selectStatus(executor, [site, link_id])).rows[0]
}

const upsert = defineStatement(
  `insert into statuses as stored (site, link_id, friendship_status, friendship_status_updated_at)
   values ($1, $2, $3, $4)
   on conflict (site, link_id) do update set friendship_status = excluded.friendship_status,
     friendship_status_updated_at = excluded.friendship_status_updated_at
   where stored.friendship_status_updated_at <= excluded.friendship_status_updated_at`,
)

/** Stores the status of a locked link, unless a newer one is stored. */
export async function upsertStatus(
  trx: Knex.Transaction,
  { site, link_id }: LinkKey,
  { friendship_status, friendship_status_updated_at }: Status,
): Promise<void> {
  await upsert(trx, [site, link_id, friendship_status, friendship_status_updated_at])
}

const deleteEach = defineStatement('delete from statuses where site = $1 and link_id = any($2)')

export async function deleteStatuses(trx: Knex.Transaction, site: number, linkIds: readonly string[]): Promise<void> {
  await deleteEach(trx, [site, linkIds])
}
