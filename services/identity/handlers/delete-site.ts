import { countDeleted, deleteSiteRows, readDeletedRows, transaction } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { identityTables } from '../site-tables.ts'
import { deleteClosedSite, deleteJobsOfSite } from '../store/closed-sites.ts'

export const deleteSite: IdentityHandlers['deleteSite'] = async ({ site }, { knex }) => {
  const isEmpty = await deleteSiteRows(knex, site, identityTables)
  // The foreign keys of users and keys keep the row until nothing refers to it, and reject new ones afterwards.
  if (isEmpty)
    await transaction(knex, async (trx) => {
      await countDeleted(trx, site, 'jobs', await deleteJobsOfSite(trx, site))
      await countDeleted(trx, site, 'sites', (await deleteClosedSite(trx, site)) ? 1 : 0)
    })
  return { done: isEmpty, deleted: await readDeletedRows(knex, site) }
}
