import type { IdentityHandlers } from '../deps.ts'
import { listApiKeys as list } from '../store/api-keys.ts'

export const listApiKeys: IdentityHandlers['listApiKeys'] = async ({ site }, { knex }) => ({
  keys: await list(knex, site),
})
