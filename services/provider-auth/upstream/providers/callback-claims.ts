import type { OidcProtocol } from '#contracts'
import { parseJson } from '#http'
import type { Claims } from '../../domain/provider-claims.ts'
import { findClaim } from './find-claims.ts'

type CallbackClaims = Pick<OidcProtocol, 'callbackClaims'>

/** Claims in the callback, which the browser delivers unsigned. */
export function readCallbackClaims(protocol: CallbackClaims, returned: URLSearchParams): Claims {
  const { callbackClaims } = protocol
  return callbackClaims === undefined
    ? {}
    : pickUnsignedClaims(protocol, parseJson(returned.get(callbackClaims.parameter) ?? ''))
}

/** The same claims as an SDK delivers them to an app. */
export function pickUnsignedClaims({ callbackClaims }: CallbackClaims, delivered: unknown): Claims {
  const picked = Object.entries(callbackClaims?.claims ?? {}).map(([name, pointer]) => [
    name,
    findClaim(delivered, pointer),
  ])
  return Object.fromEntries(picked.filter(([, value]) => value !== undefined))
}
