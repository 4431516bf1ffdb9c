import type { Knex } from 'knex'
import type { Provider, User } from '#contracts'
import { defineUserChange } from './count-changes.ts'
import { toUser, type UserKey, type UserRow, userRowColumns } from './users.ts'

interface LoginRecord extends UserKey {
  /** ID of the login, which makes recording idempotent. */
  readonly login: string
  readonly provider: Provider
  /** Whether this login created the user. */
  readonly created_user: boolean
  readonly at: Date
}

const insertAndCountLogin = defineUserChange<UserRow & { readonly deletion_noticed_at: Date | null }>({
  parts: `recorded as (
     insert into login_history (site, identifier, login, provider, created_user, at) values ($1, $2, $5, $4, $6, $3)
   )`,
  change: `update users
   set login_count = login_count + 1, last_logged_in_at = greatest(last_logged_in_at, $3),
     last_logged_in_provider = case when last_logged_in_at > $3 then last_logged_in_provider else $4 end
   where site = $1 and identifier = $2`,
  returning: `${userRowColumns}, deletion_noticed_at`,
})

/**
 * Records a login of a locked user: adds it to the history and counts it, in one statement. `is_deletion_noticed`: whether the
 * user was to be deleted as inactive.
 */
export async function insertLogin(
  trx: Knex.Transaction,
  { site, identifier, login, provider, created_user, at }: LoginRecord,
): Promise<{ user: User; is_deletion_noticed: boolean }> {
  const values = [site, identifier, at, provider, login, created_user]
  const [row] = (await insertAndCountLogin(trx, values)).rows
  if (row === undefined) throw new Error('The user must be locked.')
  return { user: toUser(row), is_deletion_noticed: row.deletion_noticed_at !== null }
}
