import type { Knex } from 'knex'
import { transaction } from '#database'
import { deleteOldEvents, listSitesWithOldEvents } from './store/events.ts'
import { lockStreams, updateDeletedUpTo } from './store/streams.ts'
import { deleteOldRemovedUsers } from './store/users.ts'
import { deleteOldDeliveries } from './store/webhook-deliveries.ts'

/** Rows that one transaction deletes. Our choice: events of the site wait for some 50 ms. */
const batchSize = 5_000

/** Deletes events, and what is left of removed users, that are older than so many days. */
export async function deleteOldData(knex: Knex, days: number): Promise<void> {
  for (const site of await listSitesWithOldEvents(knex, days)) while (await deleteNextEvents(knex, site, days));
  while ((await deleteOldDeliveries(knex, batchSize)) === batchSize);
  await deleteOldRemovedUsers(knex, days)
}

/** @returns whether there may be more */
async function deleteNextEvents(knex: Knex, site: number, days: number): Promise<boolean> {
  return transaction(knex, async (trx) => {
    await lockStreams(trx, [site])
    const last = await deleteOldEvents(trx, site, { days, limit: batchSize })
    if (last !== undefined) await updateDeletedUpTo(trx, site, last)
    return last !== undefined
  })
}
