import type { Deps } from '../deps.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { admit, findParties } from '../login/admission.ts'
import type { SettingsArrival } from '../login/arrival.ts'
import { failureOf, unavailablePage } from '../login/failure.ts'
import { dropLoginCookies } from '../login/login-cookies.ts'
import { isFailure, type LoginStanding, type Outcome, page } from '../login/outcome.ts'
import {
  loginIdOf,
  openPendingLogin,
  type PendingLogin,
  type PendingRequest,
  redirectUriOf,
} from '../login/pending-login.ts'
import { answerLocation } from '../login/respond.ts'
import { type Completed, completeLogin } from './complete-login.ts'
import { completeSiteLogin } from './complete-site-login.ts'
import { FailedAtProvider, obtainLogin } from './obtain-login.ts'
import { rejectOtherBrowser } from './reject-other-browser.ts'
import { failedTest, tellTester } from './test-login.ts'

/**
 * Answers a person's return from a provider. What the login was begun with counts, and only in the browser and at the
 * address it belongs to; a login is over with its first return, whatever it came to.
 */
export async function answerCallback(arrival: SettingsArrival, deps: Deps): Promise<Outcome> {
  const { parameters, cookie, call } = arrival
  const state = parameters.values.get('state')
  if (state === undefined) return page('login_ended')
  const pending = await openPendingLogin(state, cookie, deps)
  if (pending === undefined) return rejectOtherBrowser(state, arrival, deps)
  const language = pending.language ?? undefined
  try {
    const outcome = await finishLogin(state, pending, arrival, deps)
    return { ...outcome, language, cookies: [...dropLoginCookies(state, cookie, deps), ...(outcome.cookies ?? [])] }
  } catch (error) {
    // The login keeps its cookies: the user can load the page again.
    return { ...unavailablePage(error, call, deps), language }
  }
}

async function finishLogin(
  state: string,
  pending: PendingLogin,
  arrival: SettingsArrival,
  deps: Deps,
): Promise<Outcome> {
  const { provider, login_provider_identifier, call } = arrival
  if (Date.now() >= pending.ends_at_ms || !(await deps.usedLogins.use(state))) return page('login_ended')
  if (pending.provider !== provider || pending.login_provider_identifier !== login_provider_identifier)
    return page('other_provider')
  const { client_id } = pending.request
  const parties = await findParties({ provider, login_provider_identifier, client_id }, deps)
  const admitted = admit(parties, redirectUriOf(pending, parties.client?.redirect_uris ?? []))
  if (typeof admitted === 'string') return page(admitted, { settings: parties.settings })

  // ─── From here on every refusal travels to the redirect address. ───────────────────────────────────────────────────

  const { client, settings, redirect_uri } = admitted
  const request = { ...pending.request, redirect_uri }
  deps.tally.countLogin(settings, 'returned')
  try {
    const told = await obtainLogin({ ...admitted, request, state, kept: pending.kept }, arrival, deps)
    const vouched = { login: loginIdOf(state), client, settings, told }
    const completed =
      request.response_type === 'one_time_token'
        ? await completeSiteLogin({ ...vouched, request }, deps, call)
        : await completeLogin({ ...vouched, request }, arrival.cookie, deps, call)
    return answerApplication(request, settings, { ...completed, login: 'success' }, deps)
  } catch (error) {
    const byProvider = error instanceof FailedAtProvider
    const cause = byProvider ? error.cause : error
    const failure = failureOf(cause, request, byProvider)
    await tellTester(request, settings, failedTest(cause, failure.parameters), deps)
    if (isFailure(failure.login))
      deps.logger.error({ error: cause, provider, request_id: call.request_id }, 'a login failed')
    return answerApplication(request, settings, { ...failure, cookies: [] }, deps)
  }
}

function answerApplication(
  request: PendingRequest,
  settings: ProviderSettings,
  { parameters, cookies, login }: Completed & { readonly login: LoginStanding },
  deps: Pick<Deps, 'tally' | 'auth_url'>,
): Outcome {
  // What our own rules refuse is none of the provider's steps.
  const step = stepOf(login)
  if (step !== undefined) deps.tally.countLogin(settings, step)
  return { kind: 'redirect', location: answerLocation(request, parameters, deps.auth_url), login, settings, cookies }
}

/** The end of a login, as the console counts it. */
function stepOf(login: LoginStanding): 'completed' | 'denied' | 'failed' | undefined {
  if (login === 'success') return 'completed'
  if (login === 'user_denied') return 'denied'
  return isFailure(login) ? 'failed' : undefined
}
