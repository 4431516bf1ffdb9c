import type { z } from 'zod'
import type { Call } from '#bus'
import type { FriendStatus, Link } from '#contracts'
import type { OperationDeps } from '../operation.ts'

/** For users without a link to the messaging provider. */
const noFriendStatus = { friendship_status: null, friendship_status_updated_at: null }

/** The stored friend status of a user of a site with these links. */
export async function readFriendStatus(
  { friendship }: Pick<OperationDeps, 'friendship'>,
  site: number,
  links: readonly Link[],
  call: Call,
): Promise<z.infer<typeof FriendStatus>> {
  const link = links.find(({ provider }) => provider === 'messaging')
  return link === undefined ? noFriendStatus : friendship.readStatus({ site, link_id: link.link_id }, call)
}
