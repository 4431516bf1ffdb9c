import { countDeleted, deleteSiteRows, readDeletedRows, transaction } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { deleteClosedSite, deleteJobsOfSite } from '../store/closed-sites.ts'

/** What refers to users before the users, and the counts that their deletion changes after them. */
const tables = [
  'login_history',
  'links',
  'stored_responses',
  'user_deletions',
  'metadata_values',
  'users',
  'user_count_deltas',
  'user_counts',
  'commands',
  'pending_events',
  'api_keys',
  'metadata_schemas',
  'metadata_searches',
  'inactivity_rules',
  'erasure_parts',
  'erasures',
]

export const deleteSite: IdentityHandlers['deleteSite'] = async ({ site }, { knex }) => {
  const isEmpty = await deleteSiteRows(knex, site, tables)
  // The foreign keys of users and keys keep the row until nothing refers to it, and reject new ones afterwards.
  if (isEmpty)
    await transaction(knex, async (trx) => {
      await countDeleted(trx, site, 'jobs', await deleteJobsOfSite(trx, site))
      await countDeleted(trx, site, 'sites', (await deleteClosedSite(trx, site)) ? 1 : 0)
    })
  return { done: isEmpty, deleted: await readDeletedRows(knex, site) }
}
