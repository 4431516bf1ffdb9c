import type { FriendshipHandlers } from '../deps.ts'
import { storeStatus } from '../store-status.ts'

export const recordStatus: FriendshipHandlers['recordStatus'] = async (input, { knex }) => {
  const { friendship_status, obtained_at, ...link } = input
  await storeStatus(knex, link, { friendship_status, friendship_status_updated_at: new Date(obtained_at) })
  return {}
}
