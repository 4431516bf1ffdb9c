import { newCall, remainingMs } from '#bus'
import { toTimestamp } from '#runtime'
import type { FriendshipHandlers } from '../deps.ts'
import { recordStatusOf } from '../record.ts'
import { readStatus } from './read-status.ts'

/** What is left of the caller's time to store the status and answer. Our choice. */
const answerMs = 500

export const refreshStatus: FriendshipHandlers['refreshStatus'] = async (asked, deps, call) => {
  const { link_id } = asked
  // Before asking, so that the answer is not newer than a status of which the provider notifies us meanwhile.
  const askedAt = new Date()
  const asking = newCall({ request_id: call.request_id, withinMs: remainingMs(call) - answerMs })
  const answer = await deps.provider_auth.fetchFriendshipStatus(asked, asking)
  if ('provider_error' in answer)
    return { ...(await readStatus({ link_id }, deps, call)), provider_error: answer.provider_error }

  const { friendship_status } = answer
  await recordStatusOf(deps.knex, link_id, { friendship_status, friendship_status_updated_at: askedAt })
  return { friendship_status, friendship_status_updated_at: toTimestamp(askedAt) }
}
