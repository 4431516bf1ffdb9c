import type { Knex } from 'knex'
import type { Provider, User } from '#contracts'
import { toUser, type UserKey, type UserRow } from './users.ts'

export interface LoginRecord extends UserKey {
  /** The login's own id, which makes a repeat known. */
  readonly login: string
  readonly provider: Provider
  /** Whether this login made the user. */
  readonly created_user: boolean
  readonly at: Date
}

/** The user of a login that was recorded before. */
export async function findLogin(knex: Knex, login: string): Promise<{ user: User; created: boolean } | undefined> {
  const row: (UserRow & { readonly created_user: boolean }) | undefined = await knex('login_history')
    .join('users', { 'users.site': 'login_history.site', 'users.identifier': 'login_history.identifier' })
    .where({ login })
    .first('users.*', 'created_user')
  return row && { user: toUser(row), created: row.created_user }
}

export async function insertLogin(trx: Knex.Transaction, record: LoginRecord): Promise<void> {
  await trx('login_history').insert(record)
}
