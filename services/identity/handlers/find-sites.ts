import type { IdentityHandlers } from '../deps.ts'
import { searchSites } from '../store/sites.ts'

export const findSites: IdentityHandlers['findSites'] = async (searched, { knex }) => {
  return { sites: await searchSites(knex, searched) }
}
