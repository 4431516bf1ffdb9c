import { deleteSiteRows, readDeletedRows } from '#database'
import type { EventsHandlers } from '../deps.ts'

/** Deliveries end first: endpoints of the site get nothing more. */
const tables = [
  'webhook_deliveries',
  'webhook_secrets',
  'webhook_endpoints',
  'events',
  'personal_keys',
  'users',
  'sites',
]

export const deleteSite: EventsHandlers['deleteSite'] = async ({ site }, { knex }) => {
  const done = await deleteSiteRows(knex, site, tables)
  return { done, deleted: await readDeletedRows(knex, site) }
}
