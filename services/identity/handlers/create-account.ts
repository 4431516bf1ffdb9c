import type { IdentityHandlers } from '../deps.ts'
import { insertAccount } from '../store/accounts.ts'

export const createAccount: IdentityHandlers['createAccount'] = (account, { knex }) => insertAccount(knex, account)
