import type { Knex } from 'knex'
import { createReason, type memberProcedures, type operatorProcedures, type Role } from '#admin-api'
import { transaction } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { addSeconds, daySeconds } from '../domain/time.ts'
import { lockPermissions } from '../store/members.ts'
import {
  deleteToken,
  insertToken,
  listOperatorTokens,
  listTokensOf,
  lockToken,
  type StoredToken,
} from '../store/tokens.ts'
import type { Actor, AdminHandlers } from './admin-handler.ts'
import { requireSites } from './require-valid-roles.ts'
import { requireAccount } from './resolve-account.ts'

type Names = 'listTokens' | 'issueToken' | 'revokeToken'
type OperatorNames = 'listOperatorTokens' | 'issueOperatorToken' | 'revokeOperatorToken'

/** Tokens for automation: with a role in an account, or with the rights of operators. */
export const tokenHandlers = {
  async listTokens({ account }, { knex }) {
    const tokens = await listTokensOf(knex, account)
    return { tokens: tokens.map((token) => ({ ...toToken(token), role: token.role, sites: toSites(token) })) }
  },

  async issueToken({ account, name, role, sites, expires_in_days }, deps, actor) {
    await requireAccount(account, deps, actor)
    await requireSites(account, sites ?? [], 'sites', deps, actor.call)
    return issueNewToken({ account, name, role, sites, expires_in_days }, deps, actor)
  },

  async revokeToken(token, deps, actor) {
    return revokeStoredToken(token, deps, actor)
  },

  async listOperatorTokens(_, { knex }) {
    const tokens = await listOperatorTokens(knex)
    return { tokens: tokens.map(toToken) }
  },

  async issueOperatorToken({ name, expires_in_days }, deps, actor) {
    return issueNewToken({ account: null, name, role: null, sites: null, expires_in_days }, deps, actor)
  },

  async revokeOperatorToken({ token_id }, deps, actor) {
    return revokeStoredToken({ account: null, token_id }, deps, actor)
  },
} satisfies AdminHandlers<
  Extract<keyof typeof memberProcedures, Names> | Extract<keyof typeof operatorProcedures, OperatorNames>
>

interface NewToken {
  /** Null account and role: an operator token. */
  readonly account: string | null
  readonly role: Role | null
  /** Null: all sites of the account, and the account itself. */
  readonly sites: readonly string[] | null
  readonly name: string
  readonly expires_in_days: number
}

async function issueNewToken(
  { expires_in_days, ...wanted }: NewToken,
  { knex, now }: Pick<Deps, 'knex' | 'now'>,
  actor: Actor,
) {
  const createdAt = now()
  const expiresAt = addSeconds(createdAt, expires_in_days * daySeconds)
  const { name, role, sites } = wanted
  const issued = await transaction(knex, async (trx) => {
    const issuedBy = await requireIssuer(trx, { ...wanted, expires_at: expiresAt }, actor)
    const inserted = await insertToken(trx, { ...wanted, issued_by: issuedBy, expires_at: expiresAt, now: createdAt })
    const { token_id } = inserted
    await actor.auditIn(trx, null, {
      token_id,
      name,
      ...(role === null ? {} : { role, sites }),
      expires_at: toTimestamp(expiresAt),
    })
    return inserted
  })
  return { ...issued, expires_at: toTimestamp(expiresAt) }
}

/**
 * Checks again, with locks, that the actor can issue the token: a removal of the actor at the same time is either seen here, or
 * revokes the new token.
 *
 * @returns the member who is recorded as the issuer
 */
async function requireIssuer(
  trx: Knex.Transaction,
  { account, expires_at }: Pick<NewToken, 'account'> & { readonly expires_at: Date },
  { member_id, token_id }: Actor,
): Promise<string | null> {
  if (token_id !== undefined) {
    const own = await lockToken(trx, token_id)
    if (own === undefined) throw new AdminFault('not_signed_in')
    if (expires_at > own.expires_at) {
      const reason = createReason('expires_after_issuing_token', { until: toTimestamp(own.expires_at) })
      throw new AdminFault('invalid_request', { field: 'expires_in_days', reason })
    }
    return own.issued_by
  }
  const permissions = member_id === undefined ? undefined : await lockPermissions(trx, { member_id, account })
  if (member_id === undefined || permissions === undefined) throw new AdminFault('not_signed_in')
  if (!permissions.operator && (account === null || permissions.role !== 'owner')) throw new AdminFault('not_allowed')
  return member_id
}

async function revokeStoredToken(
  token: { readonly account: string | null; readonly token_id: string },
  { knex }: Pick<Deps, 'knex'>,
  actor: Actor,
) {
  await transaction(knex, async (trx) => {
    const revoked = await deleteToken(trx, token)
    if (revoked === undefined) throw new AdminFault('not_found')
    const { token_id, name, role } = revoked
    await actor.auditIn(trx, { token_id, name, ...(role === null ? {} : { role, sites: toSites(revoked) }) }, null)
  })
  return {}
}

/** The sites that a token is limited to, as a list of its own; null: all sites. */
function toSites({ sites }: Pick<StoredToken, 'sites'>): string[] | null {
  return sites === null ? null : [...sites]
}

function toToken({ token_id, name, created_at, expires_at, last_used_at }: StoredToken) {
  return {
    token_id,
    name,
    created_at: toTimestamp(created_at),
    expires_at: toTimestamp(expires_at),
    last_used_at: toTimestampOrNull(last_used_at),
  }
}
