import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { findAccount } from '../store/accounts.ts'
import { listSitesOfAccount as list } from '../store/sites.ts'

export const listSitesOfAccount: IdentityHandlers['listSitesOfAccount'] = async ({ account }, { knex }) => {
  const [there, sites] = await Promise.all([findAccount(knex, account), list(knex, account)])
  if (there === undefined) throw new Fault('entity_not_found')
  return { sites }
}
