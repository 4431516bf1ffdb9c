import { createReason } from '#admin-api'
import { limits } from '#contracts'
import { type Context, setCookie } from '#http'
import { newToken } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { sourceOf } from '../http/source.ts'
import type { AccountProviderRow } from '../store/account-providers.ts'
import { insertPendingSignIn, type PendingSignIn } from '../store/pending-sign-ins.ts'
import type { StartedAuthorization } from './openid-provider.ts'

/** Binds the pending sign-in to the browser. `Lax`, because the callback is a navigation from another site. */
export const providerSignInCookie = 'console-provider-sign-in'

interface SignInPurpose {
  readonly return_to: string
  readonly invitation_id: string | null
  readonly session_id: string | null
}

/** Starts a sign-in at the operator's own OpenID provider. @returns the address to redirect the browser to */
export async function startProviderSignIn(ctx: Context, purpose: SignInPurpose, deps: Deps): Promise<string> {
  const { operatorProvider } = deps
  if (operatorProvider === undefined) {
    throw new AdminFault('not_found', { reason: createReason('sign_in_provider_missing') })
  }
  const started = await operatorProvider.startAuthorization({ reauthenticate: purpose.session_id !== null })
  const pending = { ...purpose, account: null, provider_revision: null, test_id: null }
  return storePendingSignIn(ctx, started, pending, deps)
}

type AccountPurpose = Pick<PendingSignIn, 'return_to' | 'session_id' | 'test_id'> & { readonly login_hint?: string }

/** Starts a sign-in at the provider of an account. @returns the address to redirect the browser to */
export async function startAccountSignIn(
  ctx: Context,
  row: AccountProviderRow,
  { login_hint, ...purpose }: AccountPurpose,
  deps: Deps,
): Promise<string> {
  const provider = await deps.accountProviders.open(row)
  const started = await provider.startAuthorization({
    reauthenticate: purpose.session_id !== null,
    ...(login_hint === undefined ? {} : { login_hint }),
  })
  const pending = { ...purpose, invitation_id: null, account: row.account, provider_revision: row.revision }
  return storePendingSignIn(ctx, started, pending, deps)
}

async function storePendingSignIn(
  ctx: Context,
  { location, ...authorization }: StartedAuthorization,
  purpose: Omit<PendingSignIn, 'nonce' | 'code_verifier' | 'started_at'>,
  deps: Deps,
): Promise<string> {
  const browser = newToken()
  const lifeSeconds = limits.console_challenge_seconds
  ctx.append('Set-Cookie', setCookie(providerSignInCookie, browser, lifeSeconds, deps.consoleUrl, 'lax'))
  const request = { browser, source: sourceOf(ctx, deps), started_at: deps.now() }
  await insertPendingSignIn(deps.knex, { ...authorization, ...purpose, ...request })
  return location
}
