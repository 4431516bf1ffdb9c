import type { z } from 'zod'
import type { Call } from '#bus'
import type { FriendStatus, Provider } from '#contracts'
import type { OperationDeps } from '../operation.ts'

/** Of a user who is not linked with the messaging provider nobody ever told one. */
const no_friend_status = { friendship_status: null, friendship_status_updated_at: null }

/** The friend status that is kept of a user with these links. */
export async function readFriendStatus(
  { friendship }: Pick<OperationDeps, 'friendship'>,
  subject: { readonly site: number; readonly identifier: string },
  linked: readonly Provider[],
  call: Call,
): Promise<z.infer<typeof FriendStatus>> {
  return linked.includes('messaging') ? friendship.readStatus(subject, call) : no_friend_status
}
