import type { IdentityHandlers } from '../deps.ts'
import { findNewestRevision } from '../store/site-revisions.ts'
import { selectSites as list } from '../store/sites.ts'

export const listSites: IdentityHandlers['listSites'] = async (after, { knex }) => {
  // Read before the sites, because all changes up to this revision are then committed.
  const revision = await findNewestRevision(knex)
  return { sites: await list(knex, after), revision }
}
