import type { Knex } from 'knex'
import type { UserBlock } from '#contracts'
import { mergeUserFields } from '../domain/merge-rules.ts'
import { clock } from './clock.ts'
import { defineUserChange } from './count-changes.ts'
import { deleteUserRow, findUserRow, toUser, type UserKey, type UserRow } from './users.ts'

const updateRow = defineUserChange({
  change: `update users set primary_key = $3, mapped_at = $4, last_logged_in_at = $5, last_logged_in_provider = $6,
       login_count = $7, created_at = $8, blocked_at = $9, blocked_until = $10, block_reason = $11, blocked_by = $12,
       sessions_ended_at = case when $13 then clock.now else $14::timestamptz end
     from ${clock}
     where site = $1 and identifier = $2`,
})

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
  await updateRow(trx, [
    destination.site,
    destination.identifier,
    user.primary_key,
    user.mapped_at,
    user.last_logged_in_at,
    user.last_logged_in_provider,
    user.login_count,
    user.created_at,
    user.blocked_at,
    user.blocked_until,
    user.block_reason,
    user.blocked_by,
    newBlock !== undefined,
    user.sessions_ended_at,
  ])
  return { source: sourceRow, destination: destinationRow, user, newBlock }
}
