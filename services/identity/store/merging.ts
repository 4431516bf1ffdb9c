import type { Knex } from 'knex'
import { mergedUser } from '../domain/merging.ts'
import { deleteUserRow, findUserRow, type UserKey } from './users.ts'

/** Removes the source, and gives the destination what the merge decides. Both were locked, and links and logins moved. */
export async function absorbUser(trx: Knex.Transaction, source: UserKey, destination: UserKey): Promise<void> {
  const [absorbed, remaining] = await Promise.all([findUserRow(trx, source), findUserRow(trx, destination)])
  if (absorbed === undefined || remaining === undefined) throw new Error('Both users were locked before.')
  // First, so that its primary_key is free.
  await deleteUserRow(trx, source)
  const { primary_key, mapped_at, last_logged_in_at, last_logged_in_provider, login_count, created_at } = mergedUser(
    absorbed,
    remaining,
  )
  await trx('users')
    .where({ site: destination.site, identifier: destination.identifier })
    .update({ primary_key, mapped_at, last_logged_in_at, last_logged_in_provider, login_count, created_at })
}
