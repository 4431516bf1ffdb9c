import type { ProviderExchange } from '#contracts'
import type { Deps } from '../../deps.ts'
import { toAuthorizedParameters } from '../../domain/callback-request.ts'
import type { ApplicationRequest } from '../../domain/pending-request.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { respondToPendingRequest } from '../../openid/response/application-response.ts'
import type { PageName } from '../../pages/page-statuses.ts'
import { timeStep } from '../../usage/login-durations.ts'
import { findLoginParties, validateParties } from '../pending/client-validation.ts'
import { type PendingLogin, toLoginId } from '../pending/pending-login.ts'
import { restoreCallbacks } from '../pending/site-callbacks.ts'
import { toLoginFailure, toSentError } from '../request/failure.ts'
import { toEndResult, toLoginReason } from '../request/login-reason.ts'
import { errorPage, isServiceFailure, type LoginState, type Outcome } from '../request/outcome.ts'
import type { SettingsRequestContext } from '../request/request-context.ts'
import { type CompletedLogin, completeLogin } from './complete-login.ts'
import { completeSiteLogin } from './complete-site-login.ts'
import { obtainLogin, ProviderLoginError } from './obtain-login.ts'
import type { CallbackLogin, FinishedLogin } from './record-end.ts'
import { recordTestLogin, runTraced, toFailedOutcome } from './test-login.ts'

/** A login of an application that is pending in the browser. */
export type PendingApplicationLogin = Pick<CallbackLogin, 'state' | 'durations'> & {
  readonly pending: PendingLogin & { readonly request: ApplicationRequest }
}

/**
 * Finishes a login that is pending in the browser: obtains it from the provider and records it.
 *
 * @throws an outage before the redirect URI was validated
 */
export async function finishLogin(
  { state, pending, durations }: PendingApplicationLogin,
  context: SettingsRequestContext,
  deps: Deps,
): Promise<FinishedLogin> {
  const { provider, login_provider_identifier, call } = context
  if (pending.provider !== provider || pending.login_provider_identifier !== login_provider_identifier)
    return { outcome: errorPage('other_provider') }
  const { client_id } = pending.request
  const parties = await findLoginParties({ provider, login_provider_identifier, client_id }, deps)
  const validated = validateParties(parties)
  if (typeof validated === 'string') return { outcome: errorPage(validated, { settings: parties.settings }) }
  const { client, settings } = validated
  const request = await restoreCallbacks(pending, client, deps, call)
  if (request === undefined) return { outcome: errorPage('redirect_uri_invalid', { settings }) }

  // ─── The redirect URI is validated: from here on, errors are sent to it. ───

  deps.usage.countLogin(settings, 'returned')
  const exchanges: ProviderExchange[] = []
  try {
    const login = { ...validated, request, state, adapterState: pending.adapter_state }
    const obtain = () => runTraced(request, () => obtainLogin(login, context, deps), exchanges)
    const providerLogin = await timeStep(durations, 'provider_ms', obtain)
    const verified = { login: toLoginId(state), client, settings, providerLogin, exchanges }
    const complete = async (): Promise<CompletedLogin> => {
      if (request.response_type !== 'one_time_token')
        return completeLogin({ ...verified, request }, context, deps, call)
      const { token, user } = await completeSiteLogin({ ...verified, request }, deps, call)
      return { parameters: toAuthorizedParameters(token), cookies: [], user }
    }
    const completed = await timeStep(durations, 'recording_ms', complete)
    const end = { result: 'completed', reason: null, error: null, user: completed.user } as const
    return { outcome: respondToApplication(request, settings, { ...completed, login: 'success' }, deps), end }
  } catch (error) {
    const byProvider = error instanceof ProviderLoginError
    const cause = byProvider ? error.cause : error
    const failure = toLoginFailure(cause, request, byProvider)
    const { parameters, login, page } = failure
    await recordTestLogin(request, settings, toFailedOutcome(cause, parameters, exchanges), deps)
    if (isServiceFailure(login))
      deps.logger.error({ error: cause, provider, request_id: call.request_id }, 'login failed')
    const end = {
      result: toEndResult(login),
      reason: toLoginReason(cause, byProvider),
      error: toSentError(parameters),
      user: undefined,
    }
    const response = respondToApplication(request, settings, { parameters, login, cookies: [] }, deps)
    // A form is posted at once: the page cannot post it.
    const isShown = page !== undefined && response.kind === 'redirect'
    return { outcome: isShown ? showPage(page, response) : response, end }
  }
}

/** Shows a page that leads to the application, instead of redirecting there. */
function showPage(page: PageName, { location, login, settings }: Extract<Outcome, { kind: 'redirect' }>): Outcome {
  return { kind: 'page', page, forward: location, login, settings, cookies: [] }
}

function respondToApplication(
  request: ApplicationRequest,
  settings: SiteProviderSettings,
  {
    parameters,
    cookies,
    login,
  }: Pick<CompletedLogin, 'parameters' | 'cookies'> & {
    readonly login: LoginState
  },
  deps: Pick<Deps, 'usage' | 'auth_url'>,
): Outcome {
  // Errors of our own rules are not counted as a step at the provider.
  const step = toLoginStep(login)
  if (step !== undefined) deps.usage.countLogin(settings, step)
  return { ...respondToPendingRequest(request, parameters, deps.auth_url), login, settings, cookies }
}

/** The last step of a login, as the console counts it. */
function toLoginStep(login: LoginState): 'completed' | 'denied' | 'failed' | undefined {
  if (login === 'success') return 'completed'
  if (login === 'user_denied') return 'denied'
  return isServiceFailure(login) ? 'failed' : undefined
}
