import type { Context } from '#http'
import type { Deps } from '../deps.ts'
import { keepSession, sessionToken } from '../http/authenticate.ts'
import { updateLastSignedIn } from '../members/members.ts'
import { deleteSessionOfToken, insertSession } from '../members/sessions.ts'

/** Opens a session of its own for somebody who just proved who they are: whichever the browser had before ends. */
export type BeginSession = (ctx: Context, member_id: string) => Promise<void>

/** @param signedIn told of every session */
export function createBeginSession(deps: Deps, signedIn: () => void): BeginSession {
  const { knex, now } = deps
  return async (ctx, member_id) => {
    const present = sessionToken(ctx, deps)
    if (present !== undefined) await deleteSessionOfToken(knex, present)
    const browser = (ctx.get('user-agent') || 'unknown').slice(0, 255)
    keepSession(ctx, await insertSession(knex, { member_id, browser, now: now() }), deps)
    await updateLastSignedIn(knex, { member_id, now: now() })
    signedIn()
  }
}
