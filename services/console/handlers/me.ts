import { randomUUID } from 'node:crypto'
import { createReason, type memberProcedures } from '#admin-api'
import { transaction } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { findManagingAccount } from '../store/account-identities.ts'
import { findAccountProvider } from '../store/account-providers.ts'
import { findMember } from '../store/members.ts'
import { deletePasskey, listPasskeys } from '../store/passkeys.ts'
import { hasIdentity } from '../store/provider-identities.ts'
import { deleteMemberSession, listSessions } from '../store/sessions.ts'
import type { Actor, AdminHandlers } from './admin-handler.ts'
import { requireMember } from './require-member.ts'
import { toMember } from './to-member.ts'

/** Handlers for the signed-in member. */
export const meHandlers = {
  async readMe(_, deps, actor) {
    if (actor.member_id === undefined) return describeToken(actor)
    const { knex, now } = deps
    const { member_id } = actor
    const [member, passkeys, sessions, provider] = await Promise.all([
      findMember(knex, member_id),
      listPasskeys(knex, member_id),
      listSessions(knex, member_id, now()),
      findProviderName(knex, member_id, deps),
    ])
    if (member === undefined) throw new AdminFault('not_signed_in')
    return {
      member: toMember(member),
      by: 'session',
      passkeys: passkeys.map(({ passkey_id, name, created_at, last_used_at }) => ({
        passkey_id,
        name,
        created_at: toTimestamp(created_at),
        last_used_at: toTimestampOrNull(last_used_at),
      })),
      provider,
      sessions: sessions.map(({ session_id, browser, started_at, last_seen_at }) => ({
        session_id,
        current: session_id === actor.session_id,
        started_at: toTimestamp(started_at),
        last_seen_at: toTimestamp(last_seen_at),
        browser,
      })),
      confirmed_until: actor.confirmed_until === undefined ? null : toTimestamp(actor.confirmed_until),
    }
  },

  async endSession({ session_id }, { knex }, actor) {
    const memberId = requireMember(actor)
    await transaction(knex, async (trx) => {
      if (!isUuid(session_id) || !(await deleteMemberSession(trx, { member_id: memberId, session_id })))
        throw new AdminFault('not_found')
      await actor.auditIn(trx, { session_id }, null)
    })
    return {}
  },

  async removePasskey({ passkey_id }, deps, actor) {
    const memberId = requireMember(actor)
    await transaction(deps.knex, async (trx) => {
      await trx('members').where({ member_id: memberId }).forUpdate()
      const passkeys = await listPasskeys(trx, memberId)
      const passkey = passkeys.find((candidate) => candidate.passkey_id === passkey_id)
      if (passkey === undefined) throw new AdminFault('not_found')
      if (passkeys.length === 1 && !(await canSignInAtProvider(trx, memberId, deps)))
        throw new AdminFault('conflict', { reason: createReason('last_sign_in_method') })
      await deletePasskey(trx, passkey_id)
      await actor.auditIn(trx, { passkey_id, name: passkey.name }, null)
    })
    return {}
  },
} satisfies AdminHandlers<Extract<keyof typeof memberProcedures, 'readMe' | 'endSession' | 'removePasskey'>>

/** Whether the member can sign in at the operator's own OpenID provider. */
async function canSignInAtProvider(
  knex: Deps['knex'],
  memberId: string,
  { operatorProvider }: Pick<Deps, 'operatorProvider'>,
): Promise<boolean> {
  return (
    operatorProvider !== undefined &&
    (await hasIdentity(knex, { member_id: memberId, issuer: operatorProvider.issuer }))
  )
}

/** Host name of the provider where the member can sign in: of the account that manages the member, or the operator's own; null: none. */
async function findProviderName(
  knex: Deps['knex'],
  memberId: string,
  deps: Pick<Deps, 'operatorProvider'>,
): Promise<string | null> {
  const account = await findManagingAccount(knex, memberId)
  const row = account === null ? undefined : await findAccountProvider(knex, account)
  if (row !== undefined) return new URL(row.issuer).hostname
  return (await canSignInAtProvider(knex, memberId, deps)) ? (deps.operatorProvider?.name ?? null) : null
}

/** Describes a token in the format of a member. */
function describeToken({ token_id = randomUUID(), name, roles, site_roles, operator }: Actor) {
  const inSites = [...site_roles].flatMap(([account, bySite]) =>
    Object.entries(bySite).map(([siteId, role]) => ({ account, site_id: siteId, role })),
  )
  return {
    member: {
      member_id: token_id,
      name,
      operator,
      roles: [...[...roles].map(([account, role]) => ({ account, site_id: null, role })), ...inSites],
      passkeys: 0,
      last_signed_in_at: null,
      created_at: toTimestamp(0),
    },
    by: 'token' as const,
    passkeys: [],
    provider: null,
    sessions: [],
    confirmed_until: null,
  }
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
