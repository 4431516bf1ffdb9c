import type { Knex } from 'knex'
import { deleteOldEvents, listSitesWithOldEvents } from './store/events.ts'
import { deleteOldRemovedUsers } from './store/users.ts'

/** Rows that one statement deletes. Our choice: far below the statement timeout. */
const batchSize = 5_000

/** Deletes events, and what is left of removed users, that are older than so many days. */
export async function deleteOldData(knex: Knex, days: number): Promise<void> {
  for (const site of await listSitesWithOldEvents(knex, days))
    while ((await deleteOldEvents(knex, site, { days, limit: batchSize })) > 0);
  while ((await deleteOldRemovedUsers(knex, days, batchSize)) === batchSize);
}
