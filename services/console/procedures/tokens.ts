import type { memberProcedures, operatorProcedures, Role } from '#admin-api'
import { transaction } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { Deps } from '../deps.ts'
import { day_seconds, secondsAfter } from '../members/lives.ts'
import { deleteToken, insertToken, listOperatorTokens, listTokensOf, type StoredToken } from '../members/tokens.ts'
import { requireAccount } from './account-of.ts'
import { type Actor, AdminFault, type Runs } from './procedure.ts'

type Names = 'listTokens' | 'issueToken' | 'revokeToken'
type OperatorNames = 'listOperatorTokens' | 'issueOperatorToken' | 'revokeOperatorToken'

/** Tokens for automation: of an account with a role, or of the operators. */
export const tokens = {
  async listTokens({ account }, { knex }) {
    const found = await listTokensOf(knex, account)
    return { tokens: found.map((token) => ({ ...tellToken(token), role: token.role })) }
  },

  async issueToken({ account, name, role, lives_days }, deps, actor) {
    await requireAccount(account, deps, actor)
    return issue({ account, name, role, lives_days }, deps, actor)
  },

  async revokeToken(token, deps, actor) {
    return revoke(token, deps, actor)
  },

  async listOperatorTokens(_, { knex }) {
    const found = await listOperatorTokens(knex)
    return { tokens: found.map(tellToken) }
  },

  async issueOperatorToken({ name, lives_days }, deps, actor) {
    return issue({ account: null, name, role: null, lives_days }, deps, actor)
  },

  async revokeOperatorToken({ token_id }, deps, actor) {
    return revoke({ account: null, token_id }, deps, actor)
  },
} satisfies Runs<
  Extract<keyof typeof memberProcedures, Names> | Extract<keyof typeof operatorProcedures, OperatorNames>
>

interface Wanted {
  /** Null, as the role: of the operators. */
  readonly account: string | null
  readonly role: Role | null
  readonly name: string
  readonly lives_days: number
}

async function issue({ lives_days, ...wanted }: Wanted, { knex, now }: Pick<Deps, 'knex' | 'now'>, actor: Actor) {
  const begins = now()
  const expires_at = secondsAfter(begins, lives_days * day_seconds)
  const { name, role } = wanted
  const issued = await transaction(knex, async (trx) => {
    const inserted = await insertToken(trx, { ...wanted, expires_at, now: begins })
    const { token_id } = inserted
    await actor.auditIn(trx, null, {
      ...{ token_id, name },
      ...(role === null ? {} : { role }),
      expires_at: toTimestamp(expires_at),
    })
    return inserted
  })
  return { ...issued, expires_at: toTimestamp(expires_at) }
}

async function revoke(
  token: { readonly account: string | null; readonly token_id: string },
  { knex }: Pick<Deps, 'knex'>,
  actor: Actor,
) {
  await transaction(knex, async (trx) => {
    const revoked = await deleteToken(trx, token)
    if (revoked === undefined) throw new AdminFault('not_found')
    const { token_id, name, role } = revoked
    await actor.auditIn(trx, { token_id, name, ...(role === null ? {} : { role }) }, null)
  })
  return {}
}

function tellToken({ token_id, name, created_at, expires_at, last_used_at }: StoredToken) {
  return {
    token_id,
    name,
    created_at: toTimestamp(created_at),
    expires_at: toTimestamp(expires_at),
    last_used_at: toTimestampOrNull(last_used_at),
  }
}
