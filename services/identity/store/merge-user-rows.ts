import type { Knex } from 'knex'
import type { UserBlock } from '#contracts'
import { mergeUserFields } from '../domain/merge-rules.ts'
import { deleteUserRow, findUserRow, toUser, type UserKey, type UserRow } from './users.ts'

/**
 * Deletes the source and updates the destination. Both must be locked, and links and logins moved.
 *
 * @returns the users before the merge, the merged one, and its block if the destination was not blocked
 */
export async function mergeUserRows(
  trx: Knex.Transaction,
  source: UserKey,
  destination: UserKey,
): Promise<{ source: UserRow; destination: UserRow; user: UserRow; newBlock: UserBlock | undefined }> {
  const sourceRow = await findUserRow(trx, source)
  const destinationRow = await findUserRow(trx, destination)
  if (sourceRow === undefined || destinationRow === undefined) throw new Error('Both users were locked before.')
  // Deleted first, to free its primary_key.
  await deleteUserRow(trx, source)
  const user = mergeUserFields(sourceRow, destinationRow)
  const newBlock = toUser(destinationRow).block === undefined ? toUser(user).block : undefined
  const { site, identifier } = destination
  await trx('users')
    .where({ site, identifier })
    .update({
      primary_key: user.primary_key,
      mapped_at: user.mapped_at,
      last_logged_in_at: user.last_logged_in_at,
      last_logged_in_provider: user.last_logged_in_provider,
      login_count: user.login_count,
      created_at: user.created_at,
      blocked_at: user.blocked_at,
      blocked_until: user.blocked_until,
      block_reason: user.block_reason,
      blocked_by: user.blocked_by,
      sessions_ended_at: newBlock === undefined ? user.sessions_ended_at : trx.fn.now(),
    })
  return { source: sourceRow, destination: destinationRow, user, newBlock }
}
