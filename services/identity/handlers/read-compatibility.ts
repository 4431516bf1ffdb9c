import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { findSiteByNumber } from '../store/sites.ts'

export const readCompatibility: IdentityHandlers['readCompatibility'] = async ({ site }, { knex }) => {
  const found = await findSiteByNumber(knex, site)
  if (found === undefined) throw new Fault('entity_not_found')
  return { compatibility: found.compatibility }
}
