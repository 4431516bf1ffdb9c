import { randomBytes } from 'node:crypto'
import { providerCallback } from '../addresses.ts'
import type { Deps } from '../deps.ts'
import type { Asked } from '../providers/provider.ts'
import type { Admitted } from './admission.ts'
import type { Arrival } from './arrival.ts'
import { type Outcome, page } from './outcome.ts'
import { type PendingRequest, scopeOf, storePendingLogin } from './pending-login.ts'

/**
 * Starts a login at its provider and stores the request in the browser's cookies until the user returns. An address that
 * starts too many logins gets an error page and no redirect, because the application could do nothing about it.
 */
export async function sendToProvider(
  { login_provider, settings }: Pick<Admitted, 'login_provider' | 'settings'>,
  {
    request,
    asked,
    cookie,
    address,
    language,
  }: { request: PendingRequest; asked: Asked } & Pick<Arrival, 'cookie' | 'address' | 'language'>,
  deps: Deps,
): Promise<Outcome> {
  const retryAfterSeconds = await deps.countStartedLogin(address)
  if (retryAfterSeconds !== undefined)
    return { ...page('too_many_logins', { settings }), retry_after_seconds: retryAfterSeconds }

  const { provider, login_provider_identifier } = settings
  const state = randomBytes(16).toString('hex')
  const atProvider = { settings, callbackUri: providerCallback(deps, settings), state, scope: scopeOf(request) }
  deps.tally.countLogin(settings, 'started')
  const { location, kept } = await login_provider.begin(atProvider, asked).catch((error: unknown) => {
    deps.tally.countLogin(settings, 'failed')
    throw error
  })
  const pending = { provider, login_provider_identifier, request, kept, language: language ?? null }
  const cookies = storePendingLogin(state, pending, cookie, deps)
  return { kind: 'redirect', location, login: 'begun', settings, cookies }
}
