import { type JWTVerifyOptions, jwtVerify } from 'jose'
import type { OidcProtocol } from '#contracts'
import { checkIdTokenClaims, clockToleranceSeconds } from '#http'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import { openKeySet } from './key-set.ts'

/**
 * @throws Error if the provider did not sign the token for this client, or its claims do not match (OpenID Connect Core
 * 3.1.3.7)
 */
export type VerifyIdToken = (idToken: string, settings: SiteProviderSettings) => Promise<void>

/**
 * Verifies the signatures of a provider's ID Tokens, which openid-client does not do by itself: with the provider's one
 * algorithm and a key of its key set or the client secret. A provider has one or the other, so that a public key is
 * never used as a secret (RFC 8725 2.1).
 */
export function createIdTokenVerifier(
  { idToken, issuer }: Pick<OidcProtocol, 'idToken' | 'issuer'>,
  fetch: FetchFromProvider,
): VerifyIdToken {
  const checksFor = ({ client_id }: SiteProviderSettings): JWTVerifyOptions => ({
    algorithms: [idToken.alg],
    issuer,
    audience: client_id,
    requiredClaims: ['sub', 'exp', 'iat'],
    clockTolerance: clockToleranceSeconds,
  })
  if (idToken.alg === 'HS256') {
    return async (token, settings) => {
      const secret = new TextEncoder().encode(settings.client_secret)
      const { payload } = await jwtVerify(token, secret, checksFor(settings))
      checkIdTokenClaims(payload, settings.client_id)
    }
  }
  const verify = openKeySet(idToken.jwks, fetch)
  return async (token, settings) => {
    const { payload } = await verify(token, checksFor(settings))
    checkIdTokenClaims(payload, settings.client_id)
  }
}
