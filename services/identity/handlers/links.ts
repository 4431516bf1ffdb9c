import type { IdentityHandlers } from '../deps.ts'
import { findHolder, isLinked } from '../store/links.ts'

export const findAccountHolder: IdentityHandlers['findAccountHolder'] = async ({ site, ...account }, { knex }) => ({
  holder: (await findHolder(knex, site, account)) ?? null,
})

export const isProviderLinked: IdentityHandlers['isProviderLinked'] = async (name, { knex }) => ({
  is_linked: await isLinked(knex, name),
})
