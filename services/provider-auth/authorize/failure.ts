import { isProviderUnavailable } from '../providers/fetch.ts'
import { ProviderRefusal } from '../providers/provider.ts'
import type { PendingRequest } from '../store/pending-logins.ts'
import { failed, LinkRefused } from './callback-request.ts'
import { InteractionNeeded } from './interaction-needed.ts'
import type { Outcome } from './outcome.ts'
import { providerError, server_error } from './respond.ts'

/** How a login went wrong: what the application is told, and how the login counts. */
export interface Failure {
  readonly parameters: Readonly<Record<string, string>>
  readonly login: Outcome['login']
}

/** Tells an application, in the words of what it asked for, why it gets nothing. */
export function failureOf(error: unknown, { response_type }: Pick<PendingRequest, 'response_type'>): Failure {
  const by_callback = response_type === 'one_time_token'
  if (error instanceof ProviderRefusal) {
    const refusal = providerError(error.error)
    return { parameters: by_callback ? failed(refusal.error) : refusal, login: 'denied' }
  }
  if (error instanceof InteractionNeeded) {
    return { parameters: { error: error.error, error_description: error.description }, login: 'refused' }
  }
  if (!by_callback) return { parameters: server_error, login: 'failed' }
  if (error instanceof LinkRefused) return { parameters: failed(error.reason), login: 'refused' }
  return { parameters: failed(isProviderUnavailable(error) ? 'provider_unavailable' : 'server_error'), login: 'failed' }
}
