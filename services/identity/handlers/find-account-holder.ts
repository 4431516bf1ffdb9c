import type { IdentityHandlers } from '../deps.ts'
import { findHolder } from '../store/links.ts'

export const findAccountHolder: IdentityHandlers['findAccountHolder'] = async ({ site, ...account }, { knex }) => ({
  holder: (await findHolder(knex, site, account)) ?? null,
})
