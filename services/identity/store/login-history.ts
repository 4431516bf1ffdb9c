import type { Knex } from 'knex'
import type { Provider, User } from '#contracts'
import { defineStatement } from '#database'
import { toTimestamp } from '#runtime'
import { toUser, type UserKey, type UserRow, userRowColumns } from './users.ts'

/** The result of recording a login. */
export interface RecordedLogin {
  readonly user: User
  readonly created: boolean
  readonly recorded_at: string
}

const selectLogin = defineStatement<UserRow & { readonly created_user: boolean; readonly at: Date }>(
  `select ${userRowColumns}, created_user, at
   from (select site, identifier, created_user, at from login_history where site = $1 and login = $2) as recorded
   join users using (site, identifier)`,
)

/** The result of a login of the site that is already recorded. */
export async function findLogin(knex: Knex, site: number, login: string): Promise<RecordedLogin | undefined> {
  const [row] = (await selectLogin(knex, [site, login])).rows
  return row && { user: toUser(row), created: row.created_user, recorded_at: row.at.toISOString() }
}

/** The user's logins, newest first. */
export async function selectLogins(
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

/** The retention of a site's login history. */
export interface Retention {
  readonly site: number
  readonly login_history_days: number
}

/** The sites with a retention. */
export async function selectRetentions(knex: Knex): Promise<Retention[]> {
  return knex('sites')
    .whereNotNull('login_history_days')
    .orderBy('site')
    .select<Retention[]>('site', 'login_history_days')
}

/** Deletes at most `limit` expired logins of a site, skipping locked rows. @returns their number */
export async function deleteOldLogins(
  knex: Knex,
  { site, login_history_days }: Retention,
  limit: number,
): Promise<number> {
  const old = knex('login_history')
    .where({ site })
    .whereRaw('at < now() - make_interval(days => ?)', [login_history_days])
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .select(knex.raw('ctid'))
  return knex('login_history').where({ site }).whereRaw('ctid = any(array(?))', [old]).delete()
}
