import type { Call } from '#bus'
import type { Parameters } from '#http'
import type { Deps } from '../deps.ts'
import { failureOf } from '../login/failure.ts'
import { isFailure, type Outcome } from '../login/outcome.ts'
import { locationOf, type ReturnAddress, stateToReturn } from '../login/respond.ts'
import { placementOf } from './request.ts'

/** Where the answers to a request go, also while nothing else of it was checked. */
export function returnAddressOf(parameters: Parameters, redirectUri: string): ReturnAddress {
  return { redirect_uri: redirectUri, placement: placementOf(parameters), state: stateToReturn(parameters) }
}

/** A redirect to the application with the parameters of its answer. */
export function answer(
  address: ReturnAddress,
  parameters: Readonly<Record<string, string>>,
  about: Pick<Outcome, 'login' | 'settings'>,
  { auth_url }: Pick<Deps, 'auth_url'>,
): Outcome {
  return { kind: 'redirect', location: locationOf(address, parameters, auth_url), ...about }
}

/** A redirect to the application with the error that a failure is to it. */
export function answerFailure(
  error: unknown,
  address: ReturnAddress,
  { settings }: Pick<Outcome, 'settings'>,
  { request_id }: Pick<Call, 'request_id'>,
  deps: Pick<Deps, 'auth_url' | 'logger'>,
): Outcome {
  const { parameters, login } = failureOf(error, { response_type: 'code' })
  if (isFailure(login)) deps.logger.error({ error, request_id }, 'a login could not begin')
  return answer(address, parameters, { login, settings }, deps)
}
