import { randomBytes, randomUUID } from 'node:crypto'
import { providerCallback } from '../addresses.ts'
import type { Deps } from '../deps.ts'
import type { Asked } from '../providers/provider.ts'
import { insertPendingLogin, type PendingRequest } from '../store/pending-logins.ts'
import type { Admitted } from './admission.ts'
import type { Arrival } from './arrival.ts'
import { bindBrowser } from './browser.ts'
import type { Outcome } from './outcome.ts'

/** Begins a login at its provider: keeps what was asked for until the person returns, in this browser. */
export async function sendToProvider(
  { login_provider, settings }: Pick<Admitted, 'login_provider' | 'settings'>,
  {
    request,
    asked,
    cookie,
    language,
  }: { request: PendingRequest; asked: Asked } & Pick<Arrival, 'cookie' | 'language'>,
  deps: Deps,
): Promise<Outcome> {
  const { provider, login_provider_identifier } = settings
  const state = randomBytes(16).toString('hex')
  const at_provider = { settings, callback_uri: providerCallback(deps, settings), state }
  deps.tally.countLogin(settings, 'begun')
  const { location, kept } = await login_provider.begin(at_provider, asked).catch((error: unknown) => {
    deps.tally.countLogin(settings, 'failed')
    throw error
  })
  const { browser, cookies } = bindBrowser(state, cookie, deps)
  const pending = {
    ...{ login: randomUUID(), provider, login_provider_identifier, request, browser, kept, returned: null },
    language: language ?? null,
  }
  await insertPendingLogin(deps, state, pending)
  return { kind: 'redirect', location, login: 'begun', settings, cookies }
}
