import { transaction } from '#database'
import { type Context, callerAddress } from '#http'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { readSessionToken, setSessionCookie } from '../http/authenticate.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { updateLastSignedIn } from '../store/members.ts'
import { deleteSessionOfToken, insertMemberSession } from '../store/sessions.ts'

/** How the member authenticated. */
export type Proof = 'passkey' | 'link' | 'provider' | 'account_provider'

/**
 * Starts a session for an authenticated member, ends the previous session of the browser, and adds an audit entry.
 *
 * @returns the member's name
 */
export type StartSession = (
  ctx: Context,
  who: {
    readonly member_id: string
    readonly by: Proof
    /** The account whose provider authenticated the member; its audit trail has the entry. */
    readonly account?: string
  },
) => Promise<string>

/** @param onSignedIn called for every new session */
export function createStartSession(deps: Deps, onSignedIn: () => void): StartSession {
  const { knex, now } = deps
  return async (ctx, { member_id, by, account = null }) => {
    const currentToken = readSessionToken(ctx, deps)
    const browser = (ctx.get('user-agent') || 'unknown').slice(0, 255)
    const started = await transaction(knex, async (trx) => {
      if (currentToken !== undefined) await deleteSessionOfToken(trx, currentToken)
      const name = await updateLastSignedIn(trx, { member_id, now: now() })
      // The member was removed since the authentication.
      if (name === undefined) throw new AdminFault('not_signed_in')
      const token = await insertMemberSession(trx, { member_id, browser, now: now() })
      await insertEntry(trx, {
        at: now(),
        action: 'signIn',
        account,
        site_id: null,
        actor: name,
        member_id,
        token_id: null,
        address: callerAddress(ctx.req, deps.trustedHops) ?? 'unknown',
        request_id: ctx.state.request_id,
        before: null,
        after: { by },
      })
      return { name, token }
    })
    setSessionCookie(ctx, started.token, deps)
    onSignedIn()
    return started.name
  }
}
