import type { CallbackRequest } from '../domain/callback-request.ts'
import { removeResponseParameters } from '../domain/callback-url.ts'
import type { ApplicationRequest } from '../domain/pending-request.ts'
import { getDefaultResponseMode } from '../domain/response-mode.ts'
import type { FormPost } from '../pages/render.ts'
import { buildRedirectLocation, collectParameters, type ResponseTarget } from './redirect-location.ts'

/** A response to an application: a redirect, or a form that the browser posts. */
export type ApplicationResponse =
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'form_post'; readonly form: FormPost }

/**
 * Builds the response in the response mode of the target. A form is posted to the registered URI with its own query.
 *
 * @param issuer undefined if the response is not one of OpenID Connect
 */
export function buildApplicationResponse(
  { responseMode, ...target }: ResponseTarget,
  response: Readonly<Record<string, string>>,
  issuer?: string,
): ApplicationResponse {
  if (responseMode !== 'form_post')
    return { kind: 'redirect', location: buildRedirectLocation({ ...target, responseMode }, response, issuer) }
  const fields = collectParameters(response, target.state, issuer)
  return { kind: 'form_post', form: { action: target.redirect_uri, fields } }
}

/** As `buildApplicationResponse`, for a pending request. */
export function respondToPendingRequest(
  request: ApplicationRequest,
  response: Readonly<Record<string, string>>,
  issuer: string,
): ApplicationResponse {
  if (request.response_type === 'one_time_token') return respondToSiteLogin(request, response)
  const { response_type, redirect_uri, state } = request
  const responseMode = request.response_mode ?? getDefaultResponseMode(response_type)
  return buildApplicationResponse({ redirect_uri, responseMode, state }, response, issuer)
}

/**
 * Builds the response to a site login, which has neither response modes nor issuer. Our parameters replace those of the
 * callback's own query.
 */
export function respondToSiteLogin(
  { redirect_uri, failure_uri, state }: Pick<CallbackRequest, 'redirect_uri' | 'failure_uri' | 'state'>,
  response: Readonly<Record<string, string>>,
): ApplicationResponse {
  const callback = response.status === 'failed' && failure_uri !== null ? failure_uri : redirect_uri
  const added = Object.keys(collectParameters(response, state, undefined))
  const target = removeResponseParameters(callback, added)
  return buildApplicationResponse({ redirect_uri: target, responseMode: 'query', state }, response)
}
