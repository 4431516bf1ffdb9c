import type { IdentityHandlers } from '../deps.ts'
import { selectAccounts as list } from '../store/accounts.ts'

export const listAccounts: IdentityHandlers['listAccounts'] = async (_input, { knex }) => ({
  accounts: await list(knex),
})
