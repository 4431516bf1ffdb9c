import { createRemoteJWKSet, customFetch, type JWTVerifyOptions, jwtVerify } from 'jose'
import { checkIdTokenClaims, clockToleranceSeconds } from '#http'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { type FetchFromProvider, providerTimeoutMs } from '../http-client/fetch.ts'
import type { OidcDescription } from './oidc-description.ts'

/** @throws Error when the token was not signed by the provider for this client, or its claims do not fit (OpenID Connect Core 3.1.3.7) */
export type VerifyIdToken = (idToken: string, settings: ProviderSettings) => Promise<void>

/**
 * Checks signatures of a provider's ID Tokens, which openid-client does not by itself: with the provider's one algorithm, under
 * a key of its JWKS or under the client secret. A provider has one or the other, so that a public key is never taken for a
 * secret (RFC 8725 2.1).
 */
export function createIdTokenVerifier({ id_token, issuer }: OidcDescription, fetch: FetchFromProvider): VerifyIdToken {
  const checksFor = ({ client_id }: ProviderSettings): JWTVerifyOptions => ({
    algorithms: [id_token.alg],
    issuer,
    audience: client_id,
    requiredClaims: ['sub', 'exp', 'iat'],
    clockTolerance: clockToleranceSeconds,
  })
  if (id_token.alg === 'HS256') {
    return async (token, settings) => {
      const secret = new TextEncoder().encode(settings.client_secret)
      const { payload } = await jwtVerify(token, secret, checksFor(settings))
      checkIdTokenClaims(payload, settings.client_id)
    }
  }
  // Held for all logins, so that an unknown `kid` costs the provider one request in half a minute at most.
  const keys = createRemoteJWKSet(new URL(id_token.jwks), {
    timeoutDuration: providerTimeoutMs,
    [customFetch]: fetch,
  })
  return async (token, settings) => {
    const { payload } = await jwtVerify(token, keys, checksFor(settings))
    checkIdTokenClaims(payload, settings.client_id)
  }
}
