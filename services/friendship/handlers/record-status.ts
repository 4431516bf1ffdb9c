import type { FriendshipHandlers } from '../deps.ts'
import { recordStatusOf } from '../record.ts'

export const recordStatus: FriendshipHandlers['recordStatus'] = async (input, { knex }) => {
  const { link_id, friendship_status, obtained_at } = input
  await recordStatusOf(knex, link_id, { friendship_status, friendship_status_updated_at: new Date(obtained_at) })
  return {}
}
