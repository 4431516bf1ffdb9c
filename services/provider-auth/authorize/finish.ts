import { providerCallback } from '../addresses.ts'
import type { Deps } from '../deps.ts'
import { limitToRequested } from '../domain/requested-items.ts'
import { admit, findParties } from './admission.ts'
import type { SettingsArrival } from './arrival.ts'
import { complete } from './complete.ts'
import { completeCallback } from './complete-callback.ts'
import { failureOf } from './failure.ts'
import { dropLoginCookies } from './login-cookies.ts'
import { isFailure, type Outcome, page } from './outcome.ts'
import { loginIdOf, openPendingLogin, redirectUriOf, scopeOf } from './pending-login.ts'
import { openPostedForm } from './posted-form.ts'
import { answerLocation } from './respond.ts'
import { failedTest, tellTester } from './test-login.ts'

/**
 * Answers a person's return from a provider. What the login was begun with counts, and only in the browser and at the
 * address it belongs to; a login is over with its first return, whatever it came to.
 */
export async function finish(arrival: SettingsArrival, deps: Deps): Promise<Outcome> {
  const { provider, login_provider_identifier, call } = arrival
  const state = arrival.parameters.values.get('state')
  if (state === undefined) return page('login_ended')
  const pending = await openPendingLogin(state, arrival.cookie, deps)
  if (pending === undefined) return rejectOtherBrowser(state, arrival, deps)
  if (pending.language !== null) arrival.speak(pending.language)

  const cookies = dropLoginCookies(state, arrival.cookie, deps)
  const ended = Date.now() >= pending.ends_at_ms
  if (ended || !(await deps.used_logins.use(state))) return page('login_ended', { cookies })
  if (pending.provider !== provider || pending.login_provider_identifier !== login_provider_identifier)
    return page('other_provider', { cookies })

  const { client_id } = pending.request
  const parties = await findParties({ provider, login_provider_identifier, client_id }, deps)
  const admitted = admit(parties, redirectUriOf(pending, parties.client?.redirect_uris ?? []))
  if (typeof admitted === 'string') return page(admitted, { settings: parties.settings, cookies })

  // ─── From here on every refusal travels to the redirect address. ───────────────────────────────────────────────────

  const { login_provider, client, settings, redirect_uri } = admitted
  const request = { ...pending.request, redirect_uri }
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
    const at_provider = { settings, callback_uri: providerCallback(deps, settings), state, scope: scopeOf(request) }
    const query = login_provider.returns_by_form
      ? await openPostedForm(state, arrival.parameters.values.get('returned'), deps)
      : arrival.text
    if (query === undefined)
      throw new Error('The provider posted no form, or the browser followed the redirect too late.')
    by_provider = true
    const obtained = await login_provider.finish(at_provider, { query, kept: pending.kept })
    by_provider = false
    const told = { ...obtained, data: limitToRequested(obtained.data, provider, at_provider.scope) }
    const vouched = { login: loginIdOf(state), client, settings, told }
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

/**
 * Rejects a callback in a browser that did not start the login. It ends the login in its own browser too, because another
 * browser has seen the provider's response. Each such callback counts as a started login of its source address, which limits
 * how many entries a stranger can add to Redis.
 */
async function rejectOtherBrowser(
  state: string,
  { address }: SettingsArrival,
  { used_logins, countStartedLogin }: Deps,
): Promise<Outcome> {
  if (!/^[0-9a-f]{32}$/.test(state) || (await used_logins.isUsed(state))) return page('login_ended')
  if ((await countStartedLogin(address)) === undefined) await used_logins.use(state)
  return page('other_browser')
}

/** The end of a login, as the console counts it. */
function stepOf(login: Outcome['login']): 'completed' | 'denied' | 'failed' | undefined {
  if (login === 'success') return 'completed'
  if (login === 'user_denied') return 'denied'
  return isFailure(login) ? 'failed' : undefined
}
