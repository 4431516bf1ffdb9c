import { providerCallback } from '../addresses.ts'
import type { Deps } from '../deps.ts'
import { removePendingLogin } from '../store/pending-logins.ts'
import { admit, findParties } from './admission.ts'
import type { SettingsArrival } from './arrival.ts'
import { isBound, unbindBrowser } from './browser.ts'
import { complete } from './complete.ts'
import { completeCallback } from './complete-callback.ts'
import { failureOf } from './failure.ts'
import { isFailure, type Outcome, page } from './outcome.ts'
import { answerLocation } from './respond.ts'
import { failedTest, tellTester } from './test-login.ts'

/**
 * Answers a person's return from a provider. What the login was begun with counts, and only in the browser and at the
 * address it belongs to; a login is over with its first return, whatever it came to.
 */
export async function finish(arrival: SettingsArrival, deps: Deps): Promise<Outcome> {
  const { provider, login_provider_identifier, call } = arrival
  const state = arrival.parameters.values.get('state')
  const pending = state === undefined ? undefined : await removePendingLogin(deps, state)
  if (state === undefined || pending === undefined) return page('login_ended')
  if (pending.language !== null) arrival.speak(pending.language)

  const cookies = [unbindBrowser(state, deps)]
  if (!isBound(state, pending.browser, arrival.cookie, deps)) return page('other_browser', { cookies })
  if (pending.provider !== provider || pending.login_provider_identifier !== login_provider_identifier)
    return page('other_provider', { cookies })

  const { request, kept, returned } = pending
  const { client_id, redirect_uri } = request
  const parties = await findParties({ provider, login_provider_identifier, client_id }, deps)
  const admitted = admit(parties, redirect_uri)
  if (typeof admitted === 'string') return page(admitted, { settings: parties.settings, cookies })

  // ─── From here on every refusal travels to the redirect address. ───────────────────────────────────────────────────

  const { login_provider, client, settings } = admitted
  deps.tally.countLogin(settings, 'returned')
  const answer = (
    parameters: Readonly<Record<string, string>>,
    login: Outcome['login'],
    more_cookies: readonly string[] = [],
  ): Outcome => {
    // What our own rules refuse is none of the provider's steps.
    const step = stepOf(login)
    if (step !== undefined) deps.tally.countLogin(settings, step)
    const location = answerLocation(request, parameters, deps.auth_url)
    return { kind: 'redirect', location, login, settings, cookies: [...cookies, ...more_cookies] }
  }
  let by_provider = false
  try {
    const at_provider = { settings, callback_uri: providerCallback(deps, settings), state }
    const query = login_provider.returns_by_form ? returned : arrival.text
    if (query === null) throw new Error('The provider did not return by a form.')
    by_provider = true
    const told = await login_provider.finish(at_provider, { query, kept })
    by_provider = false
    const vouched = { login: pending.login, client, settings, told }
    if (request.response_type === 'one_time_token')
      return answer(await completeCallback({ ...vouched, request }, deps, call), 'success')
    const completed = await complete({ ...vouched, request }, arrival.cookie, deps, call)
    const { identifier } = completed
    await tellTester(request, settings, { outcome: 'came', identifier, claims: told.claims }, deps)
    return answer(completed.parameters, 'success', completed.cookies)
  } catch (error) {
    const { parameters, login } = failureOf(error, request, by_provider)
    await tellTester(request, settings, failedTest(error, parameters), deps)
    if (isFailure(login)) deps.logger.error({ error, provider, request_id: call.request_id }, 'a login failed')
    return answer(parameters, login)
  }
}

/** The end of a login, as the console counts it. */
function stepOf(login: Outcome['login']): 'completed' | 'denied' | 'failed' | undefined {
  if (login === 'success') return 'completed'
  if (login === 'user_denied') return 'denied'
  return isFailure(login) ? 'failed' : undefined
}
