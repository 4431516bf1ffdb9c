import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { findSiteByNumber } from '../store/sites.ts'

export const readCompatibility: IdentityHandlers['readCompatibility'] = async ({ site }, { knex }) => {
  const row = await findSiteByNumber(knex, site)
  if (row === undefined) throw new Fault('entity_not_found')
  return { compatibility: row.compatibility }
}
