import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { findSiteDetails } from '../store/sites.ts'

export const readSite: IdentityHandlers['readSite'] = async (names, { knex }) => {
  const site = await findSiteDetails(knex, names)
  if (site === undefined) throw new Fault('entity_not_found')
  return site
}
