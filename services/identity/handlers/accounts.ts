import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { findAccount, insertAccount, selectAccounts, updateAccount } from '../store/accounts.ts'

export const listAccounts: IdentityHandlers['listAccounts'] = async (_input, { knex }) => ({
  accounts: await selectAccounts(knex),
})

export const createAccount: IdentityHandlers['createAccount'] = (account, { knex }) => insertAccount(knex, account)

export const changeAccount: IdentityHandlers['changeAccount'] = async (change, { knex }) => {
  const changed = await updateAccount(knex, change)
  if (changed !== undefined) return changed
  throw new Fault((await findAccount(knex, change.account)) === undefined ? 'entity_not_found' : 'changed_meanwhile')
}
