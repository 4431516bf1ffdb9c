import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Role, SiteRoles } from '#admin-api'
import { limits } from '#contracts'
import { hashSecret, newToken } from '#runtime'
import { addSeconds } from '../domain/time.ts'

export interface StoredSession {
  readonly session_id: string
  readonly member_id: string
  /** User agent, for the member to recognize the session. */
  readonly browser: string
  readonly started_at: Date
  readonly last_seen_at: Date
  readonly confirmed_at: Date
}

/** A session and its member. */
export interface MemberSession extends StoredSession {
  readonly name: string
  readonly operator: boolean
  readonly passkeys: number
  /** By account. */
  readonly roles: Readonly<Record<string, Role>>
  /** By account and site_id. */
  readonly site_roles: Readonly<Record<string, SiteRoles>>
  /** The account whose provider authenticates the member; null: the member signs in otherwise. */
  readonly managed_by: string | null
  /** Accounts that members can enter only with their provider, among those that the member has a role in. */
  readonly provider_accounts: readonly string[]
}

/** Creates a session for an authenticated member. @returns its token, of which only the hash is stored */
export async function insertMemberSession(
  knex: Knex,
  { member_id, browser, now }: { member_id: string; browser: string; now: Date },
): Promise<string> {
  const token = newToken()
  await knex('sessions').insert({
    session_id: randomUUID(),
    token_hash: hashSecret(token),
    member_id,
    browser,
    started_at: now,
    last_seen_at: now,
    confirmed_at: now,
  })
  return token
}

/** Finds the active session of a token and updates when it was last seen. */
export async function touchMemberSession(knex: Knex, token: string, now: Date): Promise<MemberSession | undefined> {
  const { rows } = await knex.raw<{ rows: MemberSession[] }>(
    `update sessions set last_seen_at = greatest(last_seen_at, :now) from members
      where token_hash = :token_hash and last_seen_at > :unused_since and started_at > :started_since
        and members.member_id = sessions.member_id
      returning sessions.*, name, operator, managed_by,
        (select count(*) from passkeys where passkeys.member_id = members.member_id) as passkeys,
        (select coalesce(json_object_agg(account, role), '{}')
           from member_roles where member_roles.member_id = members.member_id) as roles,
        (select coalesce(json_object_agg(account, in_sites), '{}')
           from (select account, json_object_agg(site_id, role) as in_sites from member_site_roles
                  where member_site_roles.member_id = members.member_id group by account) as by_account) as site_roles,
        array(select account from account_providers
               where required and account is distinct from managed_by
                 and (exists (select from member_roles as held
                               where held.member_id = members.member_id and held.account = account_providers.account)
                   or exists (select from member_site_roles as held
                               where held.member_id = members.member_id
                                 and held.account = account_providers.account))) as provider_accounts`,
    { now, token_hash: hashSecret(token), ...getExpiryBounds(now) },
  )
  return rows[0]
}

export async function listSessions(knex: Knex, memberId: string, now: Date): Promise<StoredSession[]> {
  const { unused_since, started_since } = getExpiryBounds(now)
  return knex('sessions')
    .where({ member_id: memberId })
    .where('last_seen_at', '>', unused_since)
    .where('started_at', '>', started_since)
    .orderBy('last_seen_at', 'desc')
    .select<StoredSession[]>()
}

export async function updateConfirmed(knex: Knex, sessionId: string, now: Date): Promise<void> {
  await knex('sessions').where({ session_id: sessionId }).update({ confirmed_at: now })
}

/** @returns false if the member has no such session */
export async function deleteMemberSession(
  knex: Knex,
  { member_id, session_id }: { member_id: string; session_id: string },
): Promise<boolean> {
  return (await knex('sessions').where({ member_id, session_id }).delete()) > 0
}

/** Ends the session of a token, if it exists. */
export async function deleteSessionOfToken(knex: Knex, token: string): Promise<void> {
  await knex('sessions')
    .where({ token_hash: hashSecret(token) })
    .delete()
}

export async function deleteSessionsOf(trx: Knex.Transaction, memberId: string): Promise<void> {
  await trx('sessions').where({ member_id: memberId }).delete()
}

function getExpiryBounds(now: Date): { unused_since: Date; started_since: Date } {
  return {
    unused_since: addSeconds(now, -limits.console_session_idle_seconds),
    started_since: addSeconds(now, -limits.console_session_absolute_seconds),
  }
}
