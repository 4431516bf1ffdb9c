import type { Knex } from 'knex'
import { type DataRecipient, type ReceivedData, receivedDataNames } from '#contracts'
import { defineStatement, type Executor } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { LinkRecord } from '../domain/link-record.ts'

/** The `client_id` of the servers of a site, which receive the user by a one-time token. */
export const siteServers = ''

/**
 * The insert that records who receives data, for the statement that issues a token as well: a token that was answered has its
 * record. It writes nothing if the same was recorded in the last day, so that repeated logins cost one look-up more.
 *
 * @param source a subquery with the `site` of the statement's parameter `$1`, `link_id`, `client_id` and `received`
 */
export function insertOfRecipient(source: string): string {
  return `insert into data_recipients (site, link_id, client_id, received, first_at, last_at)
    select site, link_id, client_id, received, now(), now() from ${source} as answered
    where not exists (
      select from data_recipients known
      where known.site = $1 and known.link_id = answered.link_id and known.client_id = answered.client_id
        and known.received = answered.received and known.last_at > now() - interval '1 day'
        and (known.access_removed_at is null or known.access_removed_at < known.last_at)
    )
    on conflict (site, link_id, client_id, received) do update set last_at = excluded.last_at`
}

const insertRecipient = defineStatement(
  insertOfRecipient('(select $1::integer as site, $2::uuid as link_id, $3::text as client_id, $4::text[] as received)'),
)

interface Receipt extends Pick<LinkRecord, 'link_id'> {
  readonly site: number
  readonly client_id: string
  readonly received: readonly ReceivedData[]
}

/** Records who receives data of a user. */
export async function recordRecipient(
  trx: Knex.Transaction,
  { site, link_id, client_id, received }: Receipt,
): Promise<void> {
  await insertRecipient(trx, [site, link_id, client_id, received])
}

interface LinksOfSite {
  readonly site: number
  readonly link_ids: readonly string[]
}

/** The access of a client to the data of a user. */
export interface ClientAccess extends LinksOfSite {
  readonly client_id: string
}

interface RecipientRow {
  readonly client_id: string
  readonly received: ReceivedData[]
  readonly first_at: Date
  readonly last_at: Date
  readonly access_removed_at: Date | null
}

const selectRecipients = defineStatement<RecipientRow>(
  `select client_id, received, first_at, last_at, access_removed_at from data_recipients
   where site = $1 and link_id = any($2::uuid[])`,
)

/** Who received data of the user with these links, the latest first. */
export async function listRecipients(
  executor: Executor,
  { site, link_ids }: LinksOfSite,
): Promise<Omit<DataRecipient, 'name'>[]> {
  const { rows } = await selectRecipients(executor, [site, link_ids])
  const byClient = Map.groupBy(rows, ({ client_id }) => client_id)
  return [...byClient]
    .map(([clientId, all]) => ({ client_id: clientId, all, last_at: max(all.map(({ last_at }) => last_at)) }))
    .toSorted((one, other) => other.last_at.getTime() - one.last_at.getTime())
    .map(({ client_id, all, last_at }) => {
      const removedAt = max(all.flatMap(({ access_removed_at }) => access_removed_at ?? []))
      return {
        client_id: client_id === siteServers ? null : client_id,
        received: receivedDataNames.filter((name) => all.some(({ received }) => received.includes(name))),
        first_at: toTimestamp(new Date(Math.min(...all.map(({ first_at }) => first_at.getTime())))),
        last_at: toTimestamp(last_at),
        // Otherwise, it received data again after the removal.
        access_removed_at: toTimestampOrNull(removedAt >= last_at ? removedAt : null),
      }
    })
}

/** The latest time; the beginning of Unix time if there is none. */
function max(times: readonly Date[]): Date {
  return new Date(Math.max(0, ...times.map((time) => time.getTime())))
}

const selectRemoval = defineStatement(
  `select 1 from data_recipients where site = $1 and link_id = any($2::uuid[]) and client_id = $3
   having max(access_removed_at) >= max(last_at)`,
)

/** Whether the user with these links removed the access of a client, and has not logged in to it since. */
export async function isAccessRemoved(
  executor: Executor,
  { site, link_ids, client_id }: ClientAccess,
): Promise<boolean> {
  return (await selectRemoval(executor, [site, link_ids, client_id])).rowCount === 1
}

/**
 * Records that a user removed the access of a client.
 *
 * @returns false if it received no data since an earlier removal
 */
export async function markAccessRemoved(
  trx: Knex.Transaction,
  { site, link_ids, client_id }: ClientAccess,
): Promise<boolean> {
  const removed = await trx('data_recipients')
    .where({ site, client_id })
    .whereIn('link_id', [...link_ids])
    .where((row) => row.whereNull('access_removed_at').orWhereRaw('access_removed_at < last_at'))
    .update({ access_removed_at: trx.fn.now() })
  return removed > 0
}

/** Deletes the records of deleted links. */
export async function deleteLinkRecipients(trx: Knex.Transaction, { site, link_ids }: LinksOfSite): Promise<void> {
  await trx('data_recipients')
    .where({ site })
    .whereIn('link_id', [...link_ids])
    .delete()
}
