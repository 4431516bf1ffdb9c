import type { Knex } from 'knex'
import { defineStatement, type Executor } from '#database'

export interface Status {
  readonly friendship_status: boolean
  readonly friendship_status_updated_at: Date
}

const selectStatus = defineStatement<Status>(
  'select friendship_status, friendship_status_updated_at from statuses where link_id = $1',
)

export async function findStatus(executor: Executor, linkId: string): Promise<Status | undefined> {
  return (await selectStatus(executor, [linkId])).rows[0]
}

const upsert = defineStatement(
  `insert into statuses as stored (link_id, friendship_status, friendship_status_updated_at) values ($1, $2, $3)
   on conflict (link_id) do update set friendship_status = excluded.friendship_status,
     friendship_status_updated_at = excluded.friendship_status_updated_at
   where stored.friendship_status_updated_at <= excluded.friendship_status_updated_at`,
)

/** Stores the status of a locked link, unless a newer one is stored. */
export async function upsertStatus(
  trx: Knex.Transaction,
  linkId: string,
  { friendship_status, friendship_status_updated_at }: Status,
): Promise<void> {
  await upsert(trx, [linkId, friendship_status, friendship_status_updated_at])
}

export async function deleteStatuses(trx: Knex.Transaction, linkIds: readonly string[]): Promise<void> {
  await trx('statuses')
    .whereIn('link_id', [...linkIds])
    .delete()
}
