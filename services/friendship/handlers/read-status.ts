import { toTimestampOrNull } from '#runtime'
import type { FriendshipHandlers } from '../deps.ts'

export const readStatus: FriendshipHandlers['readStatus'] = async ({ link_id }, { findStatus }) => {
  const status = await findStatus(link_id)
  return {
    friendship_status: status?.friendship_status ?? null,
    friendship_status_updated_at: toTimestampOrNull(status?.friendship_status_updated_at ?? null),
  }
}
