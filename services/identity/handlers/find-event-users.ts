import type { IdentityHandlers } from '../deps.ts'
import { selectEventUsers } from '../store/event-users.ts'

export const findEventUsers: IdentityHandlers['findEventUsers'] = async ({ users }, deps) => {
  const usersByPlace = await selectEventUsers(deps, users)
  return {
    users: users.map((_, index) => {
      const row = usersByPlace.get(index + 1)
      if (row === undefined) return { user: null, is_waiting: false }
      const { identifier, primary_key, is_waiting } = row
      return { user: { identifier, primary_key }, is_waiting }
    }),
  }
}
