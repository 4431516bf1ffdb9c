import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { createReason } from '#admin-api'
import { checkIdTokenClaims } from '#http'
import { AdminFault } from '../admin-fault.ts'

export interface OperatorProviderSettings {
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
}

/** The operator's own OpenID provider, where members can sign in instead of with a passkey. */
export interface OperatorProvider {
  /** Host name, shown to members. */
  readonly name: string
  readonly issuer: string
  /**
   * Creates an authorization request, and the values to store until the callback. With `reauthenticate`, the member must authenticate
   * again.
   *
   * @throws AdminFault `unavailable` if the provider is not reachable
   */
  readonly startAuthorization: (options: { reauthenticate: boolean }) => Promise<StartedAuthorization>
  /**
   * Exchanges the code and validates the ID Token: signature, issuer, audience, nonce and times (OpenID Connect Core 3.1.3.7).
   *
   * @throws AdminFault `not_signed_in` or `unavailable`
   */
  readonly completeAuthorization: (query: string, pending: PendingAuthorization) => Promise<ProviderAuthentication>
}

export interface ProviderAuthentication {
  readonly subject: string
  /** When the member authenticated (`auth_time`), if the provider sends it. */
  readonly authenticatedAt: Date | undefined
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

export function createOperatorProvider(settings: OperatorProviderSettings, consoleUrl: string): OperatorProvider {
  const issuer = new URL(settings.issuer)
  const redirectUri = `${consoleUrl}${callbackPath}`
  let configuration: Promise<Configuration> | undefined

  /** Loads the discovery document on first use, and again after a failure. */
  const configure = async (): Promise<Configuration> => {
    configuration ??= discovery(issuer, settings.client_id, settings.client_secret, undefined, {
      timeout: timeoutSeconds,
      execute: [enableNonRepudiationChecks, ...(isLocal(issuer) ? [allowInsecureRequests] : [])],
    })
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
    issuer: settings.issuer,

    async startAuthorization({ reauthenticate }) {
      const kept = { state: randomState(), nonce: randomNonce(), code_verifier: randomPKCECodeVerifier() }
      const location = buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: 'openid',
        state: kept.state,
        nonce: kept.nonce,
        code_challenge: await calculatePKCECodeChallenge(kept.code_verifier),
        code_challenge_method: 'S256',
        ...(reauthenticate ? { prompt: 'login', max_age: '0' } : {}),
      })
      return { ...kept, location: location.href }
    },

    async completeAuthorization(query, { state, nonce, code_verifier }) {
      const configured = await configure()
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: code_verifier,
        idTokenExpected: true,
      }
      const callback = new URL(`${redirectUri}?${query}`)
      try {
        const claims = (await authorizationCodeGrant(configured, callback, checks)).claims()
        if (claims === undefined) throw new Error('The provider issued no ID Token.')
        checkIdTokenClaims(claims, settings.client_id)
        const { sub, auth_time } = claims
        return { subject: sub, authenticatedAt: auth_time === undefined ? undefined : new Date(auth_time * 1_000) }
      } catch (cause) {
        throw new AdminFault('not_signed_in', {
          reason: createReason('sign_in_provider_rejected', { provider: issuer.hostname }),
          cause,
        })
      }
    },
  }
}

/** Path of the redirect URI to register at the provider. */
export const callbackPath = '/sign-in/provider/callback'

function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1')
}
