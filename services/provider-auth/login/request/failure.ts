import type { Call } from '#bus'
import { Fault, limits } from '#contracts'
import { isDatabaseUnavailable } from '#database'
import { DecryptionError } from '#runtime'
import type { Deps } from '../../deps.ts'
import { SiteLoginError, toFailedParameters } from '../../domain/callback-request.ts'
import { InteractionRequired, interactionErrors } from '../../domain/interaction-required.ts'
import type { PendingRequest } from '../../domain/pending-request.ts'
import { ProviderLoginRejected } from '../../domain/provider-client.ts'
import { TermsDeclined } from '../../domain/terms.ts'
import { isOutage } from '../../http/outage.ts'
import { serverError, toProviderError } from '../../response/redirect-location.ts'
import { isProviderUnavailable } from '../../upstream/http-client/fetch.ts'
import { errorPage, type LoginState, type Outcome } from './outcome.ts'

/** A failed login: the parameters for the application, and the state to count. */
export interface LoginFailure {
  readonly parameters: Readonly<Record<string, string>>
  readonly login: LoginState
  /** What the end user sees before the application receives the parameters by a redirect. */
  readonly page?: 'user_blocked'
}

/**
 * Maps an error to the parameters for the application, in the format of the response that it requested.
 *
 * @param byProvider whether the provider's response caused the error
 */
export function toLoginFailure(
  error: unknown,
  { response_type }: Pick<PendingRequest, 'response_type'>,
  byProvider = false,
): LoginFailure {
  const login = getFailureState(error, byProvider)
  const isSiteLogin = response_type === 'one_time_token'
  if (error instanceof ProviderLoginRejected) {
    const denial = toProviderError(error.error)
    return {
      parameters: isSiteLogin ? toFailedParameters(denial.error) : denial,
      login: isDeniedByUser(error) ? 'user_denied' : 'provider_error',
    }
  }
  if (error instanceof InteractionRequired) {
    return { parameters: { error: error.error, error_description: error.description }, login: 'client_error' }
  }
  if (error instanceof TermsDeclined) {
    const denial = { error: 'access_denied', error_description: 'The user did not accept the terms.' }
    return { parameters: isSiteLogin ? toFailedParameters('access_denied') : denial, login: 'user_denied' }
  }
  if (error instanceof Fault && error.fault === 'user_blocked') {
    const denial = { error: 'access_denied', error_description: interactionErrors.access_denied }
    return {
      parameters: isSiteLogin ? toFailedParameters('access_denied') : denial,
      login: 'client_error',
      page: 'user_blocked',
    }
  }
  if (error instanceof SiteLoginError) return { parameters: toFailedParameters(error.reason), login: 'client_error' }
  if (!isSiteLogin) return { parameters: serverError, login }
  return {
    parameters: toFailedParameters(isProviderUnavailable(error) ? 'provider_unavailable' : 'server_error'),
    login,
  }
}

/** The error among the parameters for the application; null if there is none. */
export function toSentError({ error, reason }: LoginFailure['parameters']): string | null {
  return error ?? reason ?? null
}

/** Whether the end user, rather than the provider, rejected the login. */
export function isDeniedByUser({ error }: ProviderLoginRejected): boolean {
  return !errorsWithoutUser.has(toProviderError(error).error)
}

/**
 * Errors (RFC 6749 4.1.2.1) that end users cannot cause. For denials by the end user some providers use error codes of
 * their own.
 */
const errorsWithoutUser = new Set([
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
])

/** Our own dependencies can also fail during a call to the provider. */
function getFailureState(error: unknown, byProvider: boolean): LoginState {
  if (isProviderUnavailable(error)) return 'provider_error'
  return byProvider && !isDatabaseUnavailable(error) && !(error instanceof DecryptionError)
    ? 'provider_error'
    : 'server_error'
}

/**
 * The page for an outage before the redirect URI was validated.
 *
 * @throws the error if it is not an outage
 */
export function toUnavailablePage(
  error: unknown,
  { request_id }: Pick<Call, 'request_id'>,
  { logger }: Pick<Deps, 'logger'>,
): Outcome {
  if (!isOutage(error)) throw error
  logger.warn({ error, request_id }, 'login failed: a dependency is unavailable')
  return { ...errorPage('unavailable'), login: 'server_error', retry_after_seconds: limits.retry_after_seconds }
}
