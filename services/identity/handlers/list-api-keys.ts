import type { IdentityHandlers } from '../deps.ts'
import { selectApiKeys as list } from '../store/api-keys.ts'

export const listApiKeys: IdentityHandlers['listApiKeys'] = async ({ site }, { knex }) => ({
  keys: await list(knex, site),
})
