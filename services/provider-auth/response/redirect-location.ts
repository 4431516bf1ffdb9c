import type { Parameters } from '#http'
import type { AuthorizationRequest } from '../domain/authorization-request.ts'
import type { ResponseMode } from '../domain/response-mode.ts'

/** Where the response to an application is sent. */
export interface ResponseTarget extends Pick<AuthorizationRequest, 'redirect_uri' | 'state'> {
  readonly responseMode: ResponseMode
}

type RedirectMode = Exclude<ResponseMode, 'form_post'>

/**
 * Builds the redirect to the application: the registered URI with its own query, followed by the response parameters,
 * the request's state and `iss` (RFC 9207) (RFC 6749 4.1.2, OpenID Connect Core 3.2.2.5).
 *
 * @param issuer undefined if the response is not one of OpenID Connect
 */
export function buildRedirectLocation(
  { redirect_uri, responseMode, state }: ResponseTarget & { readonly responseMode: RedirectMode },
  response: Readonly<Record<string, string>>,
  issuer?: string,
): string {
  const encoded = Object.entries(collectParameters(response, state, issuer))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return redirect_uri + separator(redirect_uri, responseMode) + encoded
}

/** The parameters of a response, with the request's state and the issuer if there are any. */
export function collectParameters(
  response: Readonly<Record<string, string>>,
  state: string | null,
  issuer: string | undefined,
): Readonly<Record<string, string>> {
  return { ...response, ...(state !== null && { state }), ...(issuer !== undefined && { iss: issuer }) }
}

function separator(redirectUri: string, responseMode: RedirectMode): string {
  if (responseMode === 'fragment') return '#'
  if (!redirectUri.includes('?')) return '?'
  return /[?&]$/.test(redirectUri) ? '' : '&'
}

/** Specification, "Authorization endpoint errors": other unknown error. */
export const serverError = { error: 'server_error', error_description: 'Internal server error.' } as const

/**
 * The provider's error, limited to short values of the characters that RFC 6749 4.1.2.1 allows. The provider's
 * description is not passed on.
 */
export function toProviderError(error: string): { readonly error: string } {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,64}$/.test(error) ? { error } : serverError
}

/** Maximum length of a state that is returned, in bytes. Our choice. */
export const maxStateBytes = 2_048

/** The state to return with an error; null if it is repeated or too long. */
export function getReturnableState({ values }: Pick<Parameters, 'values'>): string | null {
  const state = values.get('state')
  return state === undefined || byteLengthOf(state) > maxStateBytes ? null : state
}

/**
 * The length in bytes. Most OAuth parameters are ASCII (RFC 6749 appendix A), for which it equals the number of
 * characters.
 */
export function byteLengthOf(value = ''): number {
  return Buffer.byteLength(value)
}
