import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify } from 'jose'
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  fetchProtectedResource,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client'
import { z } from 'zod'
import { type Provider, type ProviderData, ProviderUserId } from '#contracts'
import type { Logger } from '#runtime'
import type { Scope } from '../domain/scopes.ts'
import type { ProviderSettings } from '../store/provider-settings.ts'
import { fetchFromProvider, provider_timeout_ms } from './fetch.ts'
import { type LoginProvider, type PassedParameters, ProviderRefusal } from './provider.ts'

/** A login provider of the OpenID Connect code flow, as data and a few functions. */
export interface OidcDescription {
  readonly provider: Provider
  readonly issuer: string
  readonly endpoints: Readonly<Record<'authorization' | 'token' | 'userinfo', string>>
  /** The one algorithm ID Tokens may be signed with: under the client secret, or under a key of the JWKS. */
  readonly id_token: { readonly alg: 'HS256' } | { readonly alg: 'RS256'; readonly jwks: string }
  /** Successful answers carry `iss` (RFC 9207), so that one without is refused. */
  readonly answers_with_iss: boolean
  /** Parameters of every authorization request. */
  readonly always: Readonly<Record<string, string>>
  readonly passes: PassedParameters
  readonly scopesToAsk: (granted: readonly Scope[]) => readonly string[]
  readonly toProviderData: (claims: Claims) => ProviderData
  /** Claims from elsewhere than ID Token and userinfo. The login goes on without them. */
  readonly moreClaims?: Supplement<Claims>
  /** Whether the person is a friend of the official account. The login goes on without it. */
  readonly friendStatus?: Supplement<boolean>
}

export type Claims = Readonly<Record<string, unknown>>

interface Supplement<T> {
  readonly endpoint: string
  readonly read: (answer: unknown) => T
}

/** Clocks may differ by this much. Our choice. */
const clock_tolerance_seconds = 60

const Tokens = z.object({
  access_token: z.string().min(1).max(65_535),
  refresh_token: z.string().min(1).max(65_535).nullable().default(null),
  id_token: z.string(),
  expires_in: z.number().nonnegative().optional(),
})

export function oidcProvider(
  description: OidcDescription,
  { insecure, logger }: { readonly insecure: boolean; readonly logger: Logger },
): LoginProvider {
  const { provider, issuer, endpoints, id_token, passes } = description
  // Held for all logins, so that an unknown `kid` costs the provider one request in half a minute at most.
  const jwks =
    id_token.alg === 'RS256'
      ? createRemoteJWKSet(new URL(id_token.jwks), {
          timeoutDuration: provider_timeout_ms,
          [joseFetch]: fetchFromProvider,
        })
      : undefined

  const configurationFor = ({ client_id, client_secret }: ProviderSettings): Configuration => {
    const server = {
      issuer,
      authorization_endpoint: endpoints.authorization,
      token_endpoint: endpoints.token,
      userinfo_endpoint: endpoints.userinfo,
      authorization_response_iss_parameter_supported: description.answers_with_iss,
    }
    const client = { id_token_signed_response_alg: id_token.alg, [clockTolerance]: clock_tolerance_seconds }
    const configuration = new Configuration(server, client_id, client, ClientSecretPost(client_secret))
    configuration[customFetch] = fetchFromProvider
    if (insecure) allowInsecureRequests(configuration)
    return configuration
  }

  /** openid-client checks an ID Token's claims and its header's algorithm, but not the signature. */
  const checkSignature = async (token: string, { client_id, client_secret }: ProviderSettings): Promise<void> => {
    const checks = {
      algorithms: [id_token.alg],
      issuer,
      audience: client_id,
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: clock_tolerance_seconds,
    }
    // A provider has either a JWKS or a shared secret, so that a public key is never taken for a secret.
    if (jwks) await jwtVerify(token, jwks, checks)
    else await jwtVerify(token, new TextEncoder().encode(client_secret), checks)
  }

  return {
    provider,
    passes,

    async begin({ settings, callback_uri, state }, { scope, passed }) {
      const kept = { nonce: randomNonce(), code_verifier: randomPKCECodeVerifier() }
      const url = buildAuthorizationUrl(configurationFor(settings), {
        ...description.always,
        ...passed,
        redirect_uri: callback_uri,
        scope: description.scopesToAsk(scope).join(' '),
        state,
        nonce: kept.nonce,
        code_challenge: await calculatePKCECodeChallenge(kept.code_verifier),
        code_challenge_method: 'S256',
      })
      // Providers document a space as %20.
      url.search = url.search.replaceAll('+', '%20')
      return { location: url.href, kept }
    },

    async finish({ settings, callback_uri, state }, { query, kept }) {
      const configuration = configurationFor(settings)
      const callback = new URL(callback_uri)
      callback.search = query
      throwRefusal(callback.searchParams)
      const granted = await authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: kept.nonce ?? '',
        pkceCodeVerifier: kept.code_verifier ?? '',
        idTokenExpected: true,
      }).catch((error: unknown) => {
        throw error instanceof AuthorizationResponseError ? new ProviderRefusal(error.error, { cause: error }) : error
      })
      const tokens = Tokens.parse(granted)
      const id_claims = granted.claims()
      const provider_user_id = ProviderUserId.parse(id_claims?.sub)

      const supplement = async <T>(wanted: Supplement<T> | undefined): Promise<T | undefined> => {
        if (wanted === undefined) return undefined
        try {
          const url = new URL(wanted.endpoint)
          const response = await fetchProtectedResource(configuration, tokens.access_token, url, 'GET')
          return wanted.read(await response.json())
        } catch (error) {
          logger.warn({ error, provider }, 'a provider did not supply something a login can do without')
          return undefined
        }
      }
      const [userinfo, more_claims, friendship_status] = await Promise.all([
        fetchUserInfo(configuration, tokens.access_token, provider_user_id),
        supplement(description.moreClaims),
        supplement(settings.official_account ? description.friendStatus : undefined),
        checkSignature(tokens.id_token, settings),
      ])
      return {
        provider_user_id,
        credential: {
          access_token: tokens.access_token,
          access_secret: null,
          refresh_token: tokens.refresh_token,
          expires_at: tokens.expires_in === undefined ? null : new Date(Date.now() + tokens.expires_in * 1_000),
        },
        data: description.toProviderData({ ...id_claims, ...userinfo, ...more_claims }),
        auth_time: id_claims?.auth_time === undefined ? undefined : new Date(id_claims.auth_time * 1_000),
        friendship_status,
      }
    },
  }
}

/**
 * A no that the library would take for a broken answer: neither `code` nor `error`, as some providers tell that the person
 * did not agree, or an error without `iss`, which RFC 9207 asks for but providers document for successes alone.
 */
function throwRefusal(returned: URLSearchParams): void {
  const error = returned.get('error')
  if (error === null && !returned.has('code')) throw new ProviderRefusal('access_denied')
  if (error !== null && !returned.has('iss')) throw new ProviderRefusal(error)
}

/** The same provider, played by the simulator: every address keeps its path and moves below the simulator's. */
export function atSimulator(description: OidcDescription, simulator_url: string): OidcDescription {
  const base = `${simulator_url}/${description.provider}`
  const move = (address: string) => base + new URL(address).pathname
  const { endpoints, id_token, moreClaims, friendStatus } = description
  return {
    ...description,
    issuer: base,
    endpoints: {
      authorization: move(endpoints.authorization),
      token: move(endpoints.token),
      userinfo: move(endpoints.userinfo),
    },
    id_token: id_token.alg === 'RS256' ? { ...id_token, jwks: move(id_token.jwks) } : id_token,
    ...(moreClaims && { moreClaims: { ...moreClaims, endpoint: move(moreClaims.endpoint) } }),
    ...(friendStatus && { friendStatus: { ...friendStatus, endpoint: move(friendStatus.endpoint) } }),
  }
}
