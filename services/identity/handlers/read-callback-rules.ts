import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { findSiteByNumber } from '../store/sites.ts'

export const readCallbackRules: IdentityHandlers['readCallbackRules'] = async ({ site }, { knex }) => {
  const row = await findSiteByNumber(knex, site)
  if (row === undefined) throw new Fault('entity_not_found')
  const { kind, domains, revision } = row
  return { kind, domains, revision }
}
