import { deleteSiteRows, readDeletedRows } from '#database'
import type { FriendshipHandlers } from '../deps.ts'

const tables = ['statuses', 'deleted_link_data', 'pending_events']

export const deleteSite: FriendshipHandlers['deleteSite'] = async ({ site }, { knex }) => {
  const done = await deleteSiteRows(knex, site, tables)
  return { done, deleted: await readDeletedRows(knex, site) }
}
