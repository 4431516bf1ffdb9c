import type { IdentityHandlers } from '../deps.ts'
import { selectLogins as list } from '../store/login-history.ts'

export const listLogins: IdentityHandlers['listLogins'] = async ({ limit, ...user }, { knex }) => ({
  logins: await list(knex, user, limit),
})
