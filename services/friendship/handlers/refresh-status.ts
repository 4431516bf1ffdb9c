import { newCall, remainingMs } from '#bus'
import { toTimestamp } from '#runtime'
import type { FriendshipHandlers } from '../deps.ts'
import { storeStatus } from '../store-status.ts'
import { readStatus } from './statuses.ts'

/** The part of the caller's time that is reserved to store the status and reply. Our choice. */
const storeAndReplyMs = 500

export const refreshStatus: FriendshipHandlers['refreshStatus'] = async (link, deps, call) => {
  // Taken before the call, so that the result does not replace a status from a webhook that arrives meanwhile.
  const requestedAt = new Date()
  const providerCall = newCall({ request_id: call.request_id, withinMs: remainingMs(call) - storeAndReplyMs })
  const response = await deps.provider_auth.fetchFriendshipStatus(link, providerCall)
  if ('provider_error' in response)
    return { ...(await readStatus(link, deps, call)), provider_error: response.provider_error }

  const { friendship_status } = response
  await storeStatus(deps.knex, link, { friendship_status, friendship_status_updated_at: requestedAt })
  return { friendship_status, friendship_status_updated_at: toTimestamp(requestedAt) }
}
