import type { Knex } from 'knex'

/** Whether data of a site is deleted, or is being deleted. */
export async function isSiteDeleted(trx: Knex.Transaction, site: number): Promise<boolean> {
  return (await trx('site_deletions').where({ site, table_name: '' }).first('site')) !== undefined
}
