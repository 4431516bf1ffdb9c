import type { Call } from '#bus'
import { limits } from '#contracts'
import { isDatabaseUnavailable } from '#database'
import { DecryptionError } from '#runtime'
import type { Deps } from '../deps.ts'
import { failed, LinkRefused } from '../domain/callback-request.ts'
import { InteractionNeeded } from '../domain/interaction-needed.ts'
import { isProviderUnavailable } from '../outbound/fetch.ts'
import { ProviderRefusal } from '../providers/provider.ts'
import { type LoginStanding, type Outcome, page } from './outcome.ts'
import type { PendingRequest } from './pending-login.ts'
import { providerError, serverError } from './respond.ts'

/** How a login went wrong: what the application is told, and how the login counts. */
export interface Failure {
  readonly parameters: Readonly<Record<string, string>>
  readonly login: LoginStanding
}

/**
 * Tells an application, in the words of what it asked for, why it gets nothing.
 *
 * @param byProvider whether it went wrong in what the provider sent or answered
 */
export function failureOf(
  error: unknown,
  { response_type }: Pick<PendingRequest, 'response_type'>,
  byProvider = false,
): Failure {
  const login = blamed(error, byProvider)
  const byCallback = response_type === 'one_time_token'
  if (error instanceof ProviderRefusal) {
    const refusal = providerError(error.error)
    return {
      parameters: byCallback ? failed(refusal.error) : refusal,
      login: notThePersons.has(refusal.error) ? 'provider_error' : 'user_denied',
    }
  }
  if (error instanceof InteractionNeeded) {
    return { parameters: { error: error.error, error_description: error.description }, login: 'client_error' }
  }
  if (!byCallback) return { parameters: serverError, login }
  if (error instanceof LinkRefused) return { parameters: failed(error.reason), login: 'client_error' }
  return { parameters: failed(isProviderUnavailable(error) ? 'provider_unavailable' : 'server_error'), login }
}

/** Refusals (RFC 6749 4.1.2.1) that no person has a part in; a person's no has a name of its own at some providers. */
const notThePersons = new Set([
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
])

/** What we need ourselves can be away while the provider is asked. */
function blamed(error: unknown, byProvider: boolean): LoginStanding {
  if (isProviderUnavailable(error)) return 'provider_error'
  return byProvider && !isDatabaseUnavailable(error) && !(error instanceof DecryptionError)
    ? 'provider_error'
    : 'server_error'
}

/**
 * The page for an outage before the application's address was known to be its own.
 *
 * @throws the error, if it is none
 */
export function unavailablePage(
  error: unknown,
  { request_id }: Pick<Call, 'request_id'>,
  { logger }: Pick<Deps, 'logger'>,
): Outcome {
  if (!isDatabaseUnavailable(error)) throw error
  logger.warn({ error, request_id }, 'a login could not begin or go on')
  return { ...page('unavailable'), login: 'server_error', retry_after_seconds: limits.retry_after_seconds }
}
