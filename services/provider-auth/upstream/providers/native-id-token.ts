import { createHash } from 'node:crypto'
import { errors, type JWTPayload } from 'jose'
import type { NativeLoginProtocol } from '#contracts'
import { checkIdTokenClaims, clockToleranceSeconds } from '#http'
import { type AppLogin, AppLoginRejected } from '../../domain/provider-client.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import { checkIssuer } from './issuer.ts'
import { openKeySet } from './key-set.ts'

/** A verified ID Token of an app. */
export interface VerifiedIdToken {
  readonly claims: JWTPayload & { readonly sub: string; readonly exp: number }
  /** The client that the end user logged in to: the authorized party if there is one, else the audience. */
  readonly client_id: string
  /** Whether it names the access token that it was issued with. */
  readonly has_access_token_hash: boolean
}

/**
 * Creates the function that verifies ID Tokens which apps send (OpenID Connect Core 3.1.3.7): the provider's signature,
 * issuer, audience and authorized party, times, nonce, and the access token that it was issued with.
 *
 * @throws AppLoginRejected; any other error: the provider's keys are unavailable
 */
export function createAppIdTokenVerifier(
  { alg, jwks, issuer, otherIssuers = [] }: Omit<NativeLoginProtocol['idToken'], 'claims'>,
  fetch: FetchFromProvider,
) {
  const verify = openKeySet(jwks, fetch)
  return async (
    idToken: string,
    { nonce, access_token }: AppLogin,
    clientIds: ReadonlySet<string>,
  ): Promise<VerifiedIdToken> => {
    const { payload } = await verify(idToken, {
      algorithms: [alg],
      audience: [...clientIds],
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: clockToleranceSeconds,
    }).catch(rejectInvalidToken)
    const { sub, exp, iat, aud, azp } = payload
    try {
      if (!otherIssuers.some((other) => other === payload.iss)) checkIssuer(issuer, payload)
      checkIdTokenClaims({ sub, iat }, '')
    } catch (cause) {
      throw new AppLoginRejected('id_token_invalid', { cause })
    }
    if (sub === undefined || exp === undefined) throw new AppLoginRejected('id_token_invalid')
    const parties = [aud ?? [], azp ?? []].flat()
    const clientId = parties.at(-1)
    const areKnown = parties.every((party) => typeof party === 'string' && clientIds.has(party))
    if (typeof clientId !== 'string' || !areKnown) throw new AppLoginRejected('app_client_unknown')
    if (!matchesNonce(payload.nonce, nonce)) throw new AppLoginRejected('nonce_wrong')
    if (
      access_token !== undefined &&
      payload.at_hash !== undefined &&
      payload.at_hash !== hashAccessToken(access_token, alg)
    )
      throw new AppLoginRejected('app_tokens_differ')
    return {
      claims: { ...payload, sub, exp },
      client_id: clientId,
      has_access_token_hash: payload.at_hash !== undefined,
    }
  }
}

/** Errors of the token itself. All others of the library concern the provider's keys. */
const tokenErrors = [
  errors.JWSInvalid,
  errors.JWTInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,

  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JWTClaimValidationFailed,
]

function rejectInvalidToken(cause: unknown): never {
  if (cause instanceof errors.JWTExpired) throw new AppLoginRejected('id_token_expired', { cause })
  if (cause instanceof errors.JWTClaimValidationFailed && cause.claim === 'aud')
    throw new AppLoginRejected('app_client_unknown', { cause })
  if (tokenErrors.some((known) => cause instanceof known)) throw new AppLoginRejected('id_token_invalid', { cause })
  throw cause
}

/** SDKs send a nonce as it is, or its SHA-256, so that only the app knows the value. */
function matchesNonce(claim: unknown, nonce: string | undefined): boolean {
  if (claim === undefined || nonce === undefined) return claim === nonce
  return claim === nonce || claim === createHash('sha256').update(nonce).digest('hex')
}

/** OpenID Connect Core 3.1.3.6: the left half of the hash that belongs to the algorithm of the ID Token. */
function hashAccessToken(accessToken: string, alg: string): string {
  // Ed25519 hashes with SHA-512.
  const hash = createHash(`sha${/\d+$/.exec(alg)?.[0] ?? '512'}`)
    .update(accessToken)
    .digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}
