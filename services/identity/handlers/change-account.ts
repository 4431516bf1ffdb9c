import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { findAccount, updateAccount } from '../store/accounts.ts'

export const changeAccount: IdentityHandlers['changeAccount'] = async (change, { knex }) => {
  const changed = await updateAccount(knex, change)
  if (changed !== undefined) return changed
  throw new Fault((await findAccount(knex, change.account)) === undefined ? 'entity_not_found' : 'changed_meanwhile')
}
