import { type JWTPayload, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose'
import type { OidcProtocol } from '#contracts'
import { checkIdTokenClaims, clockToleranceSeconds } from '#http'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import { checkIssuer } from './issuer.ts'
import { openKeySet } from './key-set.ts'

/**
 * @throws Error if the provider did not sign the token for this client, or its claims do not match (OpenID Connect Core
 * 3.1.3.7)
 */
export type VerifyIdToken = (idToken: string, settings: SiteProviderSettings, nonce?: string) => Promise<JWTPayload>

/**
 * Verifies the signatures of a provider's ID Tokens, which openid-client does not do by itself: with the provider's one
 * algorithm and a key of its key set or the client secret. A provider has one or the other, so that a public key is
 * never used as a secret (RFC 8725 2.1).
 */
export function createIdTokenVerifier(
  { idToken, issuer, clockToleranceSeconds: tolerance }: IdTokenRules,
  verify: VerifySignature,
): VerifyIdToken {
  return async (token, settings, nonce) => {
    const { payload } = await verify(token, settings, {
      algorithms: [idToken.alg],
      audience: settings.client_id,
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: tolerance ?? clockToleranceSeconds,
    })
    checkIssuer(issuer, payload)
    checkIdTokenClaims(payload, settings.client_id, tolerance)
    if (nonce !== undefined && payload.nonce !== nonce)
      throw new Error('The ID Token was issued for another login (nonce).')
    return payload
  }
}

type IdTokenRules = Pick<OidcProtocol, 'idToken' | 'issuer' | 'clockToleranceSeconds'>

/** Verifies a JWT of the provider's with a key of its key set, or with the client secret. */
export type VerifySignature = (
  token: string,
  settings: Pick<SiteProviderSettings, 'client_secret'>,
  checks: JWTVerifyOptions,
) => Promise<JWTVerifyResult>

export function createSignatureVerifier(idToken: OidcProtocol['idToken'], fetch: FetchFromProvider): VerifySignature {
  if (idToken.alg === 'HS256') {
    return (token, { client_secret }, checks) => jwtVerify(token, new TextEncoder().encode(client_secret), checks)
  }
  const verify = openKeySet(idToken.jwks, fetch)
  return (token, _, checks) => verify(token, checks)
}
