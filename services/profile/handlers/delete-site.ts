import { deleteSiteRows, readDeletedRows } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { profileTables } from '../site-tables.ts'

export const deleteSite: ProfileHandlers['deleteSite'] = async ({ site }, { knex }) => {
  const done = await deleteSiteRows(knex, site, profileTables)
  return { done, deleted: await readDeletedRows(knex, site) }
}
