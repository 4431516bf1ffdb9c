import type { IdentityHandlers } from '../deps.ts'
import { listUsersWithId } from '../store/users.ts'

export const findUsers: IdentityHandlers['findUsers'] = async ({ site, id }, { knex }) => ({
  users: await listUsersWithId(knex, site, id),
})
