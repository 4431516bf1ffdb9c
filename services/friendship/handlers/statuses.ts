import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { FriendshipHandlers } from '../deps.ts'
import { findStatus, listStatuses } from '../statuses.ts'
import { storeStatus } from '../store-status.ts'

export const readStatus: FriendshipHandlers['readStatus'] = async (link, { reader }) => {
  const status = await findStatus(reader, link)
  return {
    friendship_status: status?.friendship_status ?? null,
    friendship_status_updated_at: toTimestampOrNull(status?.friendship_status_updated_at ?? null),
  }
}

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

export const recordStatus: FriendshipHandlers['recordStatus'] = async (input, { knex }) => {
  const { friendship_status, obtained_at, ...link } = input
  await storeStatus(knex, link, { friendship_status, friendship_status_updated_at: new Date(obtained_at) })
  return {}
}
