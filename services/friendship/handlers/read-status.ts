import { toTimestampOrNull } from '#runtime'
import type { FriendshipHandlers } from '../deps.ts'
import { findStatus } from '../statuses.ts'

export const readStatus: FriendshipHandlers['readStatus'] = async (link, { reader }) => {
  const status = await findStatus(reader, link)
  return {
    friendship_status: status?.friendship_status ?? null,
    friendship_status_updated_at: toTimestampOrNull(status?.friendship_status_updated_at ?? null),
  }
}
