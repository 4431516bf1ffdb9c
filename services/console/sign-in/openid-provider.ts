import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { createReason } from '#admin-api'
import { checkIdTokenClaims } from '#http'
import type { GuardedFetch } from '#http-client'
import { AdminFault } from '../admin-fault.ts'
import type { MemberClaims } from '../domain/claimed-roles.ts'

/** An OpenID Provider at which this console is registered. */
export interface ProviderRegistration {
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
  readonly client_authentication: 'client_secret_post' | 'client_secret_basic'
  readonly redirect_uri: string
  readonly scopes: readonly string[]
}

/** Where members can sign in instead of with a passkey. */
export interface OpenidProvider {
  /** Host name, shown to members. */
  readonly name: string
  readonly issuer: string
  /**
   * Loads the discovery document, if it is not in memory.
   *
   * @throws AdminFault `unavailable`
   */
  readonly discover: () => Promise<{ readonly issuer: string }>
  /**
   * Creates an authorization request, and the values to store until the callback. With `reauthenticate`, the member must authenticate
   * again.
   *
   * @throws AdminFault `unavailable` if the provider is not reachable
   */
  readonly startAuthorization: (options: {
    readonly reauthenticate: boolean
    readonly login_hint?: string
  }) => Promise<StartedAuthorization>
  /**
   * Exchanges the code and validates the ID Token: signature, issuer, audience, nonce and times (OpenID Connect Core 3.1.3.7).
   *
   * @param needs claims that are read from userinfo if the ID Token does not have them
   * @throws AdminFault `not_signed_in` or `unavailable`
   */
  readonly completeAuthorization: (
    query: string,
    pending: PendingAuthorization,
    needs?: readonly string[],
  ) => Promise<ProviderAuthentication>
}

export interface ProviderAuthentication {
  readonly subject: string
  /** When the member authenticated (`auth_time`), if the provider sends it. */
  readonly authenticatedAt: Date | undefined
  readonly claims: MemberClaims
}

interface PendingAuthorization {
  readonly state: string
  readonly nonce: string
  readonly code_verifier: string
}

export interface StartedAuthorization extends PendingAuthorization {
  readonly location: string
}

const timeoutSeconds = 5

/** @param guarded sends the requests of providers that customers name; `allowsHttp` says whether without TLS, too */
export function createOpenidProvider(
  registration: ProviderRegistration,
  guarded?: { readonly fetch: GuardedFetch['fetch']; readonly allowsHttp: boolean },
): OpenidProvider {
  const { client_id, client_secret, redirect_uri, scopes } = registration
  const issuer = new URL(registration.issuer)
  const authentication =
    registration.client_authentication === 'client_secret_basic'
      ? ClientSecretBasic(client_secret)
      : ClientSecretPost(client_secret)
  const allowsHttp = guarded?.allowsHttp ?? isLocal(issuer)
  let configuration: Promise<Configuration> | undefined

  const load = async (): Promise<Configuration> => {
    const loaded = await discovery(issuer, client_id, undefined, authentication, {
      timeout: timeoutSeconds,
      execute: [enableNonRepudiationChecks, ...(allowsHttp ? [allowInsecureRequests] : [])],
      ...(guarded && { [customFetch]: guarded.fetch }),
    })
    // The library accepts other issuers of Entra ID, whose shared endpoints authenticate users of every tenant.
    const { issuer: stated } = loaded.serverMetadata()
    if (guarded && stated !== registration.issuer) throw new Error('The discovery document has another issuer.')
    return loaded
  }
  /** Loads the discovery document on first use, and again after a failure. */
  const configure = async (): Promise<Configuration> => {
    configuration ??= load()
    try {
      return await configuration
    } catch (cause) {
      configuration = undefined
      throw new AdminFault('unavailable', {
        reason: createReason('sign_in_provider_unavailable', { provider: issuer.hostname }),
        cause,
      })
    }
  }

  return {
    name: issuer.hostname,
    issuer: registration.issuer,

    async discover() {
      return { issuer: (await configure()).serverMetadata().issuer }
    },

    async startAuthorization({ reauthenticate, login_hint }) {
      const kept = { state: randomState(), nonce: randomNonce(), code_verifier: randomPKCECodeVerifier() }
      const location = buildAuthorizationUrl(await configure(), {
        redirect_uri,
        scope: [...new Set(['openid', ...scopes])].join(' '),
        state: kept.state,
        nonce: kept.nonce,
        code_challenge: await calculatePKCECodeChallenge(kept.code_verifier),
        code_challenge_method: 'S256',
        ...(reauthenticate ? { prompt: 'login', max_age: '0' } : {}),
        ...(login_hint === undefined ? {} : { login_hint }),
      })
      // The pages navigate to it, so it must not be a script (`javascript:`).
      if (location.protocol !== 'https:' && !(allowsHttp && location.protocol === 'http:')) {
        throw new AdminFault('unavailable', {
          reason: createReason('sign_in_provider_unavailable', { provider: issuer.hostname }),
        })
      }
      return { ...kept, location: location.href }
    },

    async completeAuthorization(query, { state, nonce, code_verifier }, needs = []) {
      const configured = await configure()
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: code_verifier,
        idTokenExpected: true,
      }
      const callback = new URL(`${redirect_uri}?${query}`)
      try {
        const tokens = await authorizationCodeGrant(configured, callback, checks)
        const claims = tokens.claims()
        if (claims === undefined) throw new Error('The provider issued no ID Token.')
        checkIdTokenClaims(claims, client_id)
        const { sub, auth_time } = claims
        const isComplete = needs.every((name) => Object.hasOwn(claims, name))
        const canRead = configured.serverMetadata().userinfo_endpoint !== undefined
        const userinfo = isComplete || !canRead ? {} : await fetchUserInfo(configured, tokens.access_token, sub)
        return {
          subject: sub,
          authenticatedAt: auth_time === undefined ? undefined : new Date(auth_time * 1_000),
          // The ID Token is signed, so its claims take precedence.
          claims: { ...userinfo, ...claims },
        }
      } catch (cause) {
        // The provider may have moved its endpoints or changed its keys.
        configuration = undefined
        throw new AdminFault('not_signed_in', {
          reason: createReason('sign_in_provider_rejected', { provider: issuer.hostname }),
          cause,
        })
      }
    },
  }
}

function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1')
}
