import { lockLinksForStoring, transaction } from '#database'
import type { FriendshipHandlers } from '../deps.ts'
import { upsertStatuses } from '../statuses.ts'

export const importStatuses: FriendshipHandlers['importStatuses'] = async ({ site, statuses }, { knex }) => {
  await transaction(knex, async (trx) => {
    // Links that were deleted are deleted for ever.
    const recordedAt = new Date()
    const linkIds = statuses.map(({ link_id }) => link_id)
    const storable = await lockLinksForStoring(trx, { site, link_ids: linkIds, recorded_at: recordedAt })
    await upsertStatuses(
      trx,
      site,
      statuses
        .filter(({ link_id }) => storable.has(link_id))
        .map(({ link_id, friendship_status, obtained_at }) => ({
          link_id,
          friendship_status,
          friendship_status_updated_at: new Date(obtained_at),
        })),
    )
  })
  return {}
}
