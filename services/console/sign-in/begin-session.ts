import { transaction } from '#database'
import { type Context, callerAddress } from '#http'
import type { Deps } from '../deps.ts'
import { AdminFault } from '../handlers/admin-fault.ts'
import { keepSession, sessionToken } from '../http/authenticate.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { updateLastSignedIn } from '../store/members.ts'
import { deleteSessionOfToken, insertSession } from '../store/sessions.ts'

/** By what somebody proved who they are. */
export type Proof = 'passkey' | 'link' | 'provider'

/**
 * Opens a session of its own for somebody who just proved who they are: whichever the browser had before ends. It is in the
 * audit trail. Answers the member's name.
 */
export type BeginSession = (ctx: Context, who: { readonly member_id: string; readonly by: Proof }) => Promise<string>

/** @param signedIn told of every session */
export function createBeginSession(deps: Deps, signedIn: () => void): BeginSession {
  const { knex, now } = deps
  return async (ctx, { member_id, by }) => {
    const present = sessionToken(ctx, deps)
    const browser = (ctx.get('user-agent') || 'unknown').slice(0, 255)
    const begun = await transaction(knex, async (trx) => {
      if (present !== undefined) await deleteSessionOfToken(trx, present)
      const name = await updateLastSignedIn(trx, { member_id, now: now() })
      // Removed since they proved it.
      if (name === undefined) throw new AdminFault('not_signed_in')
      const token = await insertSession(trx, { member_id, browser, now: now() })
      await insertEntry(trx, {
        at: now(),
        act: 'signIn',
        account: null,
        site_id: null,
        actor: name,
        member_id,
        token_id: null,
        address: callerAddress(ctx.req, deps.trusted_hops) ?? 'unknown',
        request_id: ctx.state.request_id,
        before: null,
        after: { by },
      })
      return { name, token }
    })
    keepSession(ctx, begun.token, deps)
    signedIn()
    return begun.name
  }
}
