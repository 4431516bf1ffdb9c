import type { IdentityHandlers } from '../deps.ts'
import { selectUsersWithId } from '../store/users.ts'

export const findUsers: IdentityHandlers['findUsers'] = async ({ site, id }, { knex }) => ({
  users: await selectUsersWithId(knex, site, id),
})
