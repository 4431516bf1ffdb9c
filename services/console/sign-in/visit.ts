import { because } from '#admin-api'
import { limits } from '#contracts'
import { type Context, setCookie } from '#http'
import { newToken } from '#runtime'
import type { Deps } from '../deps.ts'
import { AdminFault } from '../handlers/admin-fault.ts'
import { sourceOf } from '../http/source.ts'
import { insertVisit } from '../store/provider-visits.ts'

/** Of the browser on its way to the provider and back; sent with the navigation that comes back, as `Lax` cookies are. */
export const visitCookie = 'console-visit'

interface Wish {
  readonly return_to: string
  readonly invitation_id: string | null
  readonly session_id: string | null
}

/** Where to send the browser so that the operator's own OpenID provider says who the person is. */
export async function leaveForProvider(ctx: Context, wish: Wish, deps: Deps): Promise<string> {
  const { operator_provider, knex, now, console_url } = deps
  if (operator_provider === undefined) {
    throw new AdminFault('not_found', { reason: because('no_provider') })
  }
  const { location, ...kept } = await operator_provider.begin({ again: wish.session_id !== null })
  const browser = newToken()
  ctx.append('Set-Cookie', setCookie(visitCookie, browser, limits.console_challenge_seconds, console_url, 'lax'))
  await insertVisit(knex, { ...kept, ...wish, browser, source: sourceOf(ctx, deps), began_at: now() })
  return location
}
