import type { Parameters } from '#http'
import type { AuthorizationRequest } from '../domain/authorization-request.ts'
import type { PendingRequest } from './pending-login.ts'

/** Where an application's answers go. */
export interface ResponseTarget extends Pick<AuthorizationRequest, 'redirect_uri' | 'state'> {
  readonly responseMode: 'query' | 'fragment'
}

/**
 * The address that takes an answer to the application: the registered string itself, its own query kept, with the answer,
 * the request's state, and `iss` (RFC 9207) behind it (RFC 6749 4.1.2, OpenID Connect Core 3.2.2.5).
 *
 * @param issuer none where the answer is not one of OpenID Connect
 */
export function buildRedirectLocation(
  { redirect_uri, responseMode, state }: ResponseTarget,
  response: Readonly<Record<string, string>>,
  issuer?: string,
): string {
  const parameters = { ...response, ...(state !== null && { state }), ...(issuer !== undefined && { iss: issuer }) }
  const encoded = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return redirect_uri + separator(redirect_uri, responseMode) + encoded
}

/** As `locationOf`, for what the application asked: a callback has neither fragment nor issuer. */
export function buildResponseLocation(
  { response_type, redirect_uri, state }: PendingRequest,
  response: Readonly<Record<string, string>>,
  issuer: string,
): string {
  if (response_type === 'one_time_token')
    return buildRedirectLocation({ redirect_uri, responseMode: 'query', state }, response)
  const responseMode = response_type === 'id_token' ? 'fragment' : 'query'
  return buildRedirectLocation({ redirect_uri, responseMode, state }, response, issuer)
}

function separator(redirectUri: string, responseMode: ResponseTarget['responseMode']): string {
  if (responseMode === 'fragment') return '#'
  if (!redirectUri.includes('?')) return '?'
  return /[?&]$/.test(redirectUri) ? '' : '&'
}

/** Specification, "Authorization endpoint errors": other unknown error. */
export const serverError = { error: 'server_error', error_description: 'Internal server error.' } as const

/**
 * The provider's own error as the application may have it: of the characters RFC 6749 4.1.2.1 allows, and short. The
 * provider's description stays with us.
 */
export function toProviderError(error: string): { readonly error: string } {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,64}$/.test(error) ? { error } : serverError
}

/** The longest state that is returned, in bytes. Our choice. */
export const maxStateBytes = 2_048

/** The state to return with an error: none that is repeated or too long. */
export function getReturnableState({ values }: Pick<Parameters, 'values'>): string | null {
  const state = values.get('state')
  return state === undefined || byteLengthOf(state) > maxStateBytes ? null : state
}

/** In bytes. Most OAuth parameters are ASCII (RFC 6749 appendix A), where this is the number of characters. */
export function byteLengthOf(value = ''): number {
  return Buffer.byteLength(value)
}
