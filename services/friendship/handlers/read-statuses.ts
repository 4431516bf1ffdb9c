import { toTimestamp } from '#runtime'
import type { FriendshipHandlers } from '../deps.ts'
import { listStatuses } from '../statuses.ts'

export const readStatuses: FriendshipHandlers['readStatuses'] = async ({ site, link_ids }, { reader }) => {
  const statuses = await listStatuses(reader, site, link_ids)
  return {
    statuses: Object.fromEntries(
      statuses.map(({ link_id, friendship_status, friendship_status_updated_at }) => [
        link_id,
        { friendship_status, friendship_status_updated_at: toTimestamp(friendship_status_updated_at) },
      ]),
    ),
  }
}
