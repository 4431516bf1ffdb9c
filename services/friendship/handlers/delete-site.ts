import { deleteSiteRows, readDeletedRows } from '#database'
import type { FriendshipHandlers } from '../deps.ts'
import { friendshipTables } from '../site-tables.ts'

export const deleteSite: FriendshipHandlers['deleteSite'] = async ({ site }, { knex }) => {
  const done = await deleteSiteRows(knex, site, friendshipTables)
  return { done, deleted: await readDeletedRows(knex, site) }
}
