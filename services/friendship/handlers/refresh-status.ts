import { newCall, remaining_ms } from '#bus'
import { transaction } from '#database'
import { toTimestamp } from '#runtime'
import type { FriendshipHandlers } from '../deps.ts'
import { hand, lockHeir } from '../heirs.ts'
import { readStatus } from './read-status.ts'

/** What is left of the caller's time to keep the status and answer. Our choice. */
const answer_ms = 500

export const refreshStatus: FriendshipHandlers['refreshStatus'] = async (user, deps, call) => {
  // Before asking, so that a status is not newer than an unlinking that happens meanwhile.
  const asked_at = new Date()
  const asking = newCall({ request_id: call.request_id, within_ms: remaining_ms(call) - answer_ms })
  const told = await deps.provider_auth.askFriendStatus(user, asking)
  if ('provider_error' in told) return { ...(await readStatus(user, deps, call)), provider_error: told.provider_error }

  const { friendship_status } = told
  await transaction(deps.knex, async (trx) => {
    const state = { friendship_status, friendship_status_updated_at: asked_at, brought_at: null }
    await hand(trx, await lockHeir(trx, user), state)
  })
  return { friendship_status, friendship_status_updated_at: toTimestamp(asked_at) }
}
