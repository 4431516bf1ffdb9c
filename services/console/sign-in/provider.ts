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
import { because } from '#admin-api'
import { checkIdTokenClaims } from '#http'
import { AdminFault } from '../handlers/admin-fault.ts'

export interface ProviderSettings {
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
}

/** The operator's own OpenID provider, to sign in at instead of by passkey. */
export interface OperatorProvider {
  /** Its host name, for the person to know it by. */
  readonly name: string
  readonly issuer: string
  /**
   * Where to send the browser, and what to keep until it is back. With `again`, the person has to prove anew who they are.
   *
   * @throws AdminFault `unavailable` when the provider is away
   */
  readonly begin: (options: { again: boolean }) => Promise<Departure>
  /**
   * Who came back (OpenID Connect Core 3.1.3.7): the code is exchanged, the ID Token's signature, issuer, audience, nonce and
   * times are checked.
   *
   * @throws AdminFault `not_signed_in` or `unavailable`
   */
  readonly finish: (query: string, kept: Kept) => Promise<Arrival>
}

export interface Arrival {
  readonly subject: string
  /** When the person proved who they are, if the provider says. */
  readonly provedAt: Date | undefined
}

interface Kept {
  readonly state: string
  readonly nonce: string
  readonly code_verifier: string
}

export interface Departure extends Kept {
  readonly location: string
}

const timeoutSeconds = 5

export function operatorProvider(settings: ProviderSettings, consoleUrl: string): OperatorProvider {
  const issuer = new URL(settings.issuer)
  const redirectUri = `${consoleUrl}${callbackPath}`
  let configuration: Promise<Configuration> | undefined

  /** What the provider says of itself, asked for when first needed, and again after a failure. */
  const configure = async (): Promise<Configuration> => {
    configuration ??= discovery(issuer, settings.client_id, settings.client_secret, undefined, {
      timeout: timeoutSeconds,
      execute: [enableNonRepudiationChecks, ...(isLocal(issuer) ? [allowInsecureRequests] : [])],
    })
    try {
      return await configuration
    } catch (cause) {
      configuration = undefined
      throw new AdminFault('unavailable', { reason: because('provider_away', { provider: issuer.hostname }), cause })
    }
  }

  return {
    name: issuer.hostname,
    issuer: settings.issuer,

    async begin({ again }) {
      const kept = { state: randomState(), nonce: randomNonce(), code_verifier: randomPKCECodeVerifier() }
      const location = buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: 'openid',
        state: kept.state,
        nonce: kept.nonce,
        code_challenge: await calculatePKCECodeChallenge(kept.code_verifier),
        code_challenge_method: 'S256',
        ...(again ? { prompt: 'login', max_age: '0' } : {}),
      })
      return { ...kept, location: location.href }
    },

    async finish(query, { state, nonce, code_verifier }) {
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
        return { subject: sub, provedAt: auth_time === undefined ? undefined : new Date(auth_time * 1_000) }
      } catch (cause) {
        throw new AdminFault('not_signed_in', {
          reason: because('provider_refused', { provider: issuer.hostname }),
          cause,
        })
      }
    },
  }
}

/** To be registered at the provider, after the console's address. */
export const callbackPath = '/sign-in/provider/callback'

function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1')
}
