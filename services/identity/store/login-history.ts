import type { Knex } from 'knex'
import type { Provider, User } from '#contracts'
import { toTimestamp } from '#runtime'
import { toUser, type UserKey, type UserRow } from './users.ts'

export interface LoginRecord extends UserKey {
  /** The login's own id, which makes a repeat known. */
  readonly login: string
  readonly provider: Provider
  /** Whether this login made the user. */
  readonly created_user: boolean
  readonly at: Date
}

/** What is answered to whoever tells of a login. */
export interface RecordedLogin {
  readonly user: User
  readonly created: boolean
  readonly recorded_at: string
}

/** The user of a login that was recorded before. */
export async function findLogin(knex: Knex, login: string): Promise<RecordedLogin | undefined> {
  const row: (UserRow & { readonly created_user: boolean; readonly at: Date }) | undefined = await knex('login_history')
    .join('users', { 'users.site': 'login_history.site', 'users.identifier': 'login_history.identifier' })
    .where({ login })
    .first('users.*', 'created_user', 'at')
  return row && { user: toUser(row), created: row.created_user, recorded_at: row.at.toISOString() }
}

export async function insertLogin(trx: Knex.Transaction, record: LoginRecord): Promise<void> {
  await trx('login_history').insert(record)
}

/** The user's logins, newest first. */
export async function listLogins(
  knex: Knex,
  { site, identifier }: UserKey,
  limit: number,
): Promise<{ provider: Provider; logged_in_at: string }[]> {
  const rows: { provider: Provider; at: Date }[] = await knex('login_history')
    .where({ site, identifier })
    .orderBy('at', 'desc')
    .limit(limit)
    .select('provider', 'at')
  return rows.map(({ provider, at }) => ({ provider, logged_in_at: toTimestamp(at) }))
}

export async function moveLogins(trx: Knex.Transaction, from: UserKey, to: UserKey): Promise<void> {
  const { site, identifier } = from
  await trx('login_history').where({ site, identifier }).update({ identifier: to.identifier })
}
