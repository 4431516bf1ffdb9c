import type { Knex } from 'knex'
import { defineStatement, type Executor, storeEvents } from '#database'

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

const selectEach = defineStatement<Status & Pick<LinkKey, 'link_id'>>(
  `select link_id, friendship_status, friendship_status_updated_at from statuses
   where site = $1 and link_id = any($2)`,
)

/** The statuses of links of a site, unordered. */
export async function listStatuses(
  executor: Executor,
  site: number,
  linkIds: readonly string[],
): Promise<(Status & Pick<LinkKey, 'link_id'>)[]> {
  return (await selectEach(executor, [site, linkIds])).rows
}

const upsert = defineStatement<Status & Pick<LinkKey, 'link_id'>>(
  // In this order, and materialized: Citus runs one part after another, and the last one sees the rows as they are after the insert.
  `with before as materialized (
     select link_id, friendship_status from statuses where site = $1 and link_id = any($2::uuid[])
   ), written as (
     insert into statuses as stored (site, link_id, friendship_status, friendship_status_updated_at)
     select $1::integer, * from unnest($2::uuid[], $3::boolean[], $4::timestamptz[])
     on conflict (site, link_id) do update set friendship_status = excluded.friendship_status,
       friendship_status_updated_at = excluded.friendship_status_updated_at
     where stored.friendship_status_updated_at <= excluded.friendship_status_updated_at
     returning link_id, friendship_status, friendship_status_updated_at
   )
   select * from written where not exists (
     select from before
     where before.link_id = written.link_id and before.friendship_status = written.friendship_status)`,
)

/** Stores the statuses of locked links of a site, each unless a newer one is stored, and the events of those that changed. */
export async function upsertStatuses(
  trx: Knex.Transaction,
  site: number,
  statuses: readonly (Status & Pick<LinkKey, 'link_id'>)[],
): Promise<void> {
  if (statuses.length === 0) return
  const { rows: changed } = await upsert(trx, [
    site,
    statuses.map(({ link_id }) => link_id),
    statuses.map(({ friendship_status }) => friendship_status),
    statuses.map(({ friendship_status_updated_at }) => friendship_status_updated_at),
  ])
  await storeEvents(
    trx,
    changed.map(({ link_id, friendship_status, friendship_status_updated_at }) => ({
      type: 'friendship.changed',
      site,
      user: { link_id },
      data: { friendship_status },
      time: friendship_status_updated_at,
    })),
  )
}

const deleteEach = defineStatement('delete from statuses where site = $1 and link_id = any($2)')

export async function deleteStatuses(trx: Knex.Transaction, site: number, linkIds: readonly string[]): Promise<void> {
  await deleteEach(trx, [site, linkIds])
}
