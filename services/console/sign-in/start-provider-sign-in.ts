import { createReason } from '#admin-api'
import { limits } from '#contracts'
import { type Context, setCookie } from '#http'
import { newToken } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { sourceOf } from '../http/source.ts'
import { insertPendingSignIn } from '../store/pending-sign-ins.ts'

/** Binds the pending sign-in to the browser. `Lax`, because the callback is a navigation from another site. */
export const providerSignInCookie = 'console-provider-sign-in'

interface SignInPurpose {
  readonly return_to: string
  readonly invitation_id: string | null
  readonly session_id: string | null
}

/** Starts a sign-in at the operator's own OpenID provider. @returns the address to redirect the browser to */
export async function startProviderSignIn(ctx: Context, purpose: SignInPurpose, deps: Deps): Promise<string> {
  const { operatorProvider, knex, now, consoleUrl } = deps
  if (operatorProvider === undefined) {
    throw new AdminFault('not_found', { reason: createReason('sign_in_provider_missing') })
  }
  const { location, ...pending } = await operatorProvider.startAuthorization({
    reauthenticate: purpose.session_id !== null,
  })
  const browser = newToken()
  ctx.append(
    'Set-Cookie',
    setCookie(providerSignInCookie, browser, limits.console_challenge_seconds, consoleUrl, 'lax'),
  )
  await insertPendingSignIn(knex, { ...pending, ...purpose, browser, source: sourceOf(ctx, deps), started_at: now() })
  return location
}
