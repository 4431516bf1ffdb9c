import { deleteSiteRows, readDeletedRows } from '#database'
import type { EventsHandlers } from '../deps.ts'
import { eventsTables } from '../site-tables.ts'

export const deleteSite: EventsHandlers['deleteSite'] = async ({ site }, { knex }) => {
  const done = await deleteSiteRows(knex, site, eventsTables)
  return { done, deleted: await readDeletedRows(knex, site) }
}
