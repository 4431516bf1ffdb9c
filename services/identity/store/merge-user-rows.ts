import type { Knex } from 'knex'
import { mergeUserFields } from '../domain/merge-rules.ts'
import { deleteUserRow, findUserRow, type UserKey, type UserRow } from './users.ts'

/**
 * Deletes the source and updates the destination. Both must be locked, and links and logins moved.
 *
 * @returns the users before the merge, and the merged one
 */
export async function mergeUserRows(
  trx: Knex.Transaction,
  source: UserKey,
  destination: UserKey,
): Promise<{ source: UserRow; destination: UserRow; user: UserRow }> {
  const sourceRow = await findUserRow(trx, source)
  const destinationRow = await findUserRow(trx, destination)
  if (sourceRow === undefined || destinationRow === undefined) throw new Error('Both users were locked before.')
  // Deleted first, to free its primary_key.
  await deleteUserRow(trx, source)
  const user = mergeUserFields(sourceRow, destinationRow)
  const { primary_key, mapped_at, last_logged_in_at, last_logged_in_provider, login_count, created_at } = user
  await trx('users')
    .where({ site: destination.site, identifier: destination.identifier })
    .update({ primary_key, mapped_at, last_logged_in_at, last_logged_in_provider, login_count, created_at })
  return { source: sourceRow, destination: destinationRow, user }
}
