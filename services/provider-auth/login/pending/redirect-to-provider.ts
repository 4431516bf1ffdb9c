import { randomBytes } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { getExtendedItems, getScope, type PendingRequest } from '../../domain/pending-request.ts'
import type { ProviderRequest } from '../../domain/provider-client.ts'
import { buildProviderCallbackUri } from '../../uris.ts'
import { toLoginFailure, toSentError } from '../request/failure.ts'
import { toLoginReason } from '../request/login-reason.ts'
import { describeStart } from '../request/login-start.ts'
import { errorPage, type Outcome } from '../request/outcome.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { ValidatedLogin } from './client-validation.ts'
import { storePendingLogin, toEndTime, toLoginId } from './pending-login.ts'

/**
 * Starts a login at its provider and stores the request in the browser's cookies until the end user returns. An address
 * that starts too many logins gets an error page instead of a redirect, because the application could not do anything
 * about it.
 */
export async function redirectToProvider(
  { providerClient, settings }: Pick<ValidatedLogin, 'providerClient' | 'settings'>,
  {
    request,
    providerRequest,
    cookie,
    address,
    language,
    browser,
    country,
    call,
  }: { request: PendingRequest; providerRequest: ProviderRequest } & Pick<
    RequestContext,
    'cookie' | 'address' | 'language' | 'browser' | 'country' | 'call'
  >,
  deps: Deps,
): Promise<Outcome> {
  const retryAfterSeconds = await deps.countStartedLogin(address)
  if (retryAfterSeconds !== undefined)
    return { ...errorPage('too_many_logins', { settings }), retry_after_seconds: retryAfterSeconds }

  const { provider, login_provider_identifier } = settings
  const state = randomBytes(16).toString('hex')
  const atProvider = {
    settings,
    callbackUri: buildProviderCallbackUri(deps, settings),
    state,
    scope: getScope(request),
    extendedItems: getExtendedItems(request),
  }
  deps.usage.countLogin(settings, 'started')
  const startedAtMs = Date.now()
  const login = { site: settings.site, login_id: toLoginId(state) }
  const start = describeStart(request, provider, startedAtMs)
  const { request_id } = call
  deps.loginLog.add({ ...login, start: { ...start, browser, country, request_id } }, address)
  const { location, adapterState } = await providerClient
    .startLogin(atProvider, providerRequest)
    .catch((error: unknown) => {
      deps.usage.countLogin(settings, 'failed')
      const { parameters } = toLoginFailure(error, request)
      const end = { at: Date.now(), result: 'failed', reason: toLoginReason(error, true), request_id } as const
      deps.loginLog.add({ ...login, start, end: { ...end, error: toSentError(parameters) } }, address)
      throw error
    })
  const pending = {
    provider,
    login_provider_identifier,
    request,
    adapter_state: adapterState,
    language: language ?? null,
    ends_at_ms: toEndTime(startedAtMs),
  }
  const cookies = storePendingLogin(state, pending, cookie, deps)
  return { kind: 'redirect', location, login: 'started', settings, cookies }
}
