import type { IdentityHandlers } from '../deps.ts'
import { isLinked } from '../store/links.ts'

export const isProviderLinked: IdentityHandlers['isProviderLinked'] = async (name, { knex }) => ({
  is_linked: await isLinked(knex, name),
})
