import { type PassedParameters, supportedPrompts } from '#contracts'
import type { Deps } from '../../deps.ts'
import { isRecentEnough } from '../../domain/auth-time.ts'
import type { AuthorizationRequest } from '../../domain/authorization-request.ts'
import type { ProviderRequest } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { findLoginParties, type ValidatedLogin, validateClient } from '../../login/pending/client-validation.ts'
import { redirectToProvider } from '../../login/pending/redirect-to-provider.ts'
import { errorPage, type Outcome } from '../../login/request/outcome.ts'
import type { SettingsRequestContext } from '../../login/request/request-context.ts'
import { type ActiveSession, readSession } from '../../login/session/session.ts'
import { continueSession } from './continue-session.ts'
import { respond, respondWithFailure, toResponseTarget } from './respond.ts'
import { isRequestError, parsePrompts, validateRequest } from './validate-request.ts'

/** Handles an authorization request: an error page, an error for the application, or a redirect to the provider. */
export async function startAuthorization(context: SettingsRequestContext, deps: Deps): Promise<Outcome> {
  const { parameters, cookie, call } = context
  const { values } = parameters
  const parties = await findLoginParties({ ...context, client_id: values.get('client_id') }, deps)
  const validated = validateClient(parties, values.get('redirect_uri'))
  if (typeof validated === 'string') return errorPage(validated, { settings: parties.settings })

  // ─── The redirect URI is validated: from here on, errors are sent to it. ───

  const { providerClient, settings, client, redirect_uri } = validated
  const address = toResponseTarget(parameters, redirect_uri)
  const request = await validateRequest(parameters, { client, passedParameters: providerClient.passedParameters }, deps)
  if (isRequestError(request)) return respond(address, request, { login: 'client_error', settings }, deps)
  try {
    const open = await readSession(client.site, cookie, deps)
    const session = open?.provider === settings.provider ? open : undefined
    if (parsePrompts(parameters).includes('none')) {
      const issued = await continueSession(session, request, client, deps, call)
      return respond(address, issued, { login: 'continued', settings }, deps)
    }
    const providerRequest = toProviderRequest(request, values, validated, session)
    return await redirectToProvider(validated, { ...context, request, providerRequest }, deps)
  } catch (error) {
    return respondWithFailure(error, address, { settings }, call, deps)
  }
}

/**
 * The request to the provider. If the provider does not support `max_age`, the end user has to authenticate again,
 * unless the session is recent enough.
 */
function toProviderRequest(
  request: AuthorizationRequest,
  values: ReadonlyMap<string, string>,
  { providerClient, settings }: Pick<ValidatedLogin, 'providerClient' | 'settings'>,
  session: ActiveSession | undefined,
): ProviderRequest {
  const { max_age } = request
  const prompts = supportedPrompts.filter((prompt) => parsePrompts({ values }).includes(prompt))
  const isFresh = session !== undefined && isRecentEnough(session.auth_time_ms, request, Date.now())
  const mustReauthenticate = max_age !== null && !providerClient.supportsMaxAge && !isFresh
  return {
    passedParameters: selectPassedParameters(providerClient.passedParameters, settings, values),
    prompts: mustReauthenticate ? ['login', ...prompts] : prompts,
    max_age,
  }
}

/** The request's parameters that are passed on to the provider. */
function selectPassedParameters(
  passedParameters: PassedParameters,
  { official_account }: SiteProviderSettings,
  values: ReadonlyMap<string, string>,
): Record<string, string> {
  const selected: Record<string, string> = {}
  for (const [name, { official_account_only }] of Object.entries(passedParameters)) {
    const value = values.get(name)
    if (value !== undefined && (official_account || !official_account_only)) selected[name] = value
  }
  return selected
}
