import type { Call } from '#bus'
import type { Parameters } from '#http'
import type { Deps } from '../../deps.ts'
import { toLoginFailure } from '../../login/request/failure.ts'
import { isServiceFailure, type Outcome } from '../../login/request/outcome.ts'
import { buildApplicationResponse } from '../../response/application-response.ts'
import { getReturnableState, type ResponseTarget } from '../../response/redirect-location.ts'
import { getResponseMode } from './validate-request.ts'

/** Where responses to a request are sent, even before the rest of the request was validated. */
export function toResponseTarget(parameters: Parameters, redirectUri: string): ResponseTarget {
  return { redirect_uri: redirectUri, responseMode: getResponseMode(parameters), state: getReturnableState(parameters) }
}

/** A response to the application with the parameters. */
export function respond(
  address: ResponseTarget,
  parameters: Readonly<Record<string, string>>,
  about: Pick<Outcome, 'login' | 'settings'>,
  { auth_url }: Pick<Deps, 'auth_url'>,
): Outcome {
  return { ...buildApplicationResponse(address, parameters, auth_url), ...about }
}

/** A response to the application with the error for a failure. */
export function respondWithFailure(
  error: unknown,
  address: ResponseTarget,
  { settings }: Pick<Outcome, 'settings'>,
  { request_id }: Pick<Call, 'request_id'>,
  deps: Pick<Deps, 'auth_url' | 'logger'>,
): Outcome {
  const { parameters, login } = toLoginFailure(error, { response_type: 'code' })
  if (isServiceFailure(login)) deps.logger.error({ error, request_id }, 'login could not be started')
  return respond(address, parameters, { login, settings }, deps)
}
