import type { FriendshipHandlers } from '../deps.ts'
import { updateToForgotten } from '../statuses.ts'

export const forgetUser: FriendshipHandlers['forgetUser'] = async (user, { knex }) => {
  await updateToForgotten(knex, user)
  return {}
}
