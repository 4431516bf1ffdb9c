import type { ProviderExchange } from '#contracts'
import type { Deps } from '../../deps.ts'
import { toAuthorizedParameters } from '../../domain/callback-request.ts'
import type { PendingRequest } from '../../domain/pending-request.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { respondToPendingRequest } from '../../openid/response/application-response.ts'
import { findLoginParties, type LoginParties, validateParties } from '../pending/client-validation.ts'
import { clearLoginCookies } from '../pending/login-cookies.ts'
import { type PendingLogin, readPendingLogin, toLoginId } from '../pending/pending-login.ts'
import { restoreCallbacks } from '../pending/site-callbacks.ts'
import { toLoginFailure, toUnavailablePage } from '../request/failure.ts'
import { errorPage, isServiceFailure, type LoginState, type Outcome } from '../request/outcome.ts'
import type { SettingsRequestContext } from '../request/request-context.ts'
import { type CompletedLogin, completeLogin } from './complete-login.ts'
import { completeSiteLogin } from './complete-site-login.ts'
import { obtainLogin, ProviderLoginError } from './obtain-login.ts'
import { rejectOtherBrowser } from './reject-other-browser.ts'
import { repeatEnd, storeEnd } from './repeated-callback.ts'
import { recordTestLogin, runTraced, toFailedOutcome } from './test-login.ts'

/**
 * Handles the provider's redirect back to us. Only the pending login in the browser's cookies counts, and only in the
 * browser and at the address that it belongs to. A login can be completed once, whatever its result; for a few seconds, the
 * same browser gets the same response again.
 */
export async function handleCallback(context: SettingsRequestContext, deps: Deps): Promise<Outcome> {
  const outcome = await completeCallback(context, deps)
  if (outcome.kind !== 'page' || outcome.settings !== undefined) return outcome
  // The page leads to the site of the callback's address.
  const { settings } = await findLoginParties({ ...context, client_id: undefined }, deps).catch(() => noParties)
  return { ...outcome, settings }
}

const noParties: Pick<LoginParties, 'settings'> = { settings: undefined }

async function completeCallback(context: SettingsRequestContext, deps: Deps): Promise<Outcome> {
  const { parameters, cookie, call } = context
  const state = parameters.values.get('state')
  if (state === undefined) return errorPage('login_ended')
  const pending = await readPendingLogin(state, cookie, deps)
  if (pending === undefined)
    return (await repeatEnd(state, cookie, false, deps)) ?? (await rejectOtherBrowser(state, context, deps))
  if (Date.now() >= pending.ends_at_ms) return errorPage('login_ended')
  if (!(await deps.usedLogins.markUsed(state)))
    return (await repeatEnd(state, cookie, true, deps)) ?? errorPage('login_ended')
  const language = pending.language ?? undefined
  try {
    const outcome = await finishLogin(state, pending, context, deps)
    const cookies = [...clearLoginCookies(state, cookie, deps), ...(outcome.cookies ?? [])]
    return storeEnd(state, { ...outcome, language, cookies }, deps)
  } catch (error) {
    // The cookies stay, so that the user can reload the page.
    return storeEnd(state, { ...toUnavailablePage(error, call, deps), language }, deps)
  }
}

async function finishLogin(
  state: string,
  pending: PendingLogin,
  context: SettingsRequestContext,
  deps: Deps,
): Promise<Outcome> {
  const { provider, login_provider_identifier, call } = context
  if (pending.provider !== provider || pending.login_provider_identifier !== login_provider_identifier)
    return errorPage('other_provider')
  const { client_id } = pending.request
  const parties = await findLoginParties({ provider, login_provider_identifier, client_id }, deps)
  const validated = validateParties(parties)
  if (typeof validated === 'string') return errorPage(validated, { settings: parties.settings })
  const { client, settings } = validated
  const request = await restoreCallbacks(pending, client, deps, call)
  if (request === undefined) return errorPage('redirect_uri_invalid', { settings })

  // ─── The redirect URI is validated: from here on, errors are sent to it. ───

  deps.usage.countLogin(settings, 'returned')
  const exchanges: ProviderExchange[] = []
  try {
    const login = { ...validated, request, state, adapterState: pending.adapter_state }
    const providerLogin = await runTraced(request, () => obtainLogin(login, context, deps), exchanges)
    const verified = { login: toLoginId(state), client, settings, providerLogin, exchanges }
    const completed =
      request.response_type === 'one_time_token'
        ? {
            parameters: toAuthorizedParameters(await completeSiteLogin({ ...verified, request }, deps, call)),
            cookies: [],
          }
        : await completeLogin({ ...verified, request }, context.cookie, deps, call)
    return respondToApplication(request, settings, { ...completed, login: 'success' }, deps)
  } catch (error) {
    const byProvider = error instanceof ProviderLoginError
    const cause = byProvider ? error.cause : error
    const failure = toLoginFailure(cause, request, byProvider)
    await recordTestLogin(request, settings, toFailedOutcome(cause, failure.parameters, exchanges), deps)
    if (isServiceFailure(failure.login))
      deps.logger.error({ error: cause, provider, request_id: call.request_id }, 'login failed')
    return respondToApplication(request, settings, { ...failure, cookies: [] }, deps)
  }
}

function respondToApplication(
  request: PendingRequest,
  settings: SiteProviderSettings,
  { parameters, cookies, login }: CompletedLogin & { readonly login: LoginState },
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
