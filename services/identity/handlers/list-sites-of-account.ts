import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { findAccount } from '../store/accounts.ts'
import { selectSitesOfAccount as list } from '../store/sites.ts'

export const listSitesOfAccount: IdentityHandlers['listSitesOfAccount'] = async ({ account }, { knex }) => {
  const [found, sites] = await Promise.all([findAccount(knex, account), list(knex, account)])
  if (found === undefined) throw new Fault('entity_not_found')
  return { sites }
}
