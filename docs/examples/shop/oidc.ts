import * as oidc from 'openid-client'
import type { Config } from './config.ts'
import type { LoginButton } from './login-buttons.ts'

/** The state between the authorization request and the callback. */
export interface PendingLogin {
  /** The login provider's name in addresses and in the Web API. */
  readonly provider: string
  readonly state: string
  readonly nonce: string
  readonly code_verifier: string
}

export interface Login {
  readonly start: (button: LoginButton) => Promise<{ address: URL; pending: PendingLogin }>
  /**
   * Checks the callback and exchanges its code for the claims of a verified ID Token.
   *
   * @throws LoginRefused if the callback has an error
   */
  readonly finish: (callback: URL, pending: PendingLogin) => Promise<FinishedLogin>
  /** The address that logs the user out of the login service and then returns to the shop. */
  readonly logoutAddress: (idToken: string) => Promise<URL>
}

export interface FinishedLogin {
  readonly claims: oidc.IDToken
  /** Unchanged: the login service requires it as `id_token_hint` to log out without confirmation. */
  readonly id_token: string
}

/** The end user or the login provider denied the login; `error` is the value in the callback. */
export class LoginRefused extends Error {
  readonly error: string

  constructor(error: string, options?: ErrorOptions) {
    super(`Login failed: ${error}`, options)
    this.error = error
  }
}

/** OpenID Connect, authorization code flow: PKCE, state and nonce on every login, every signature verified. */
export function createLogin(config: Config): Login {
  const redirectUri = `${config.shop_url}/callback`
  const postLogoutRedirectUri = `${config.shop_url}/`
  const execute = [oidc.enableNonRepudiationChecks]
  // Only for a login service on the developer's own machine; in production AUTH_URL is https.
  if (config.auth_url.startsWith('http:')) execute.push(oidc.allowInsecureRequests)

  let discovered: Promise<oidc.Configuration> | undefined
  const discover = () => {
    discovered ??= oidc
      .discovery(new URL(config.auth_url), config.client_id, config.client_secret, undefined, { execute })
      .catch((error: unknown) => {
        discovered = undefined
        throw error
      })
    return discovered
  }

  return {
    async start({ provider, authorization_endpoint }) {
      // The same service with the authorization endpoint of this login provider.
      const entrance = new oidc.Configuration({ issuer: config.auth_url, authorization_endpoint }, config.client_id)
      for (const apply of execute) apply(entrance)
      const pending = {
        provider,
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        code_verifier: oidc.randomPKCECodeVerifier(),
      }
      const address = oidc.buildAuthorizationUrl(entrance, {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.code_verifier),
        code_challenge_method: 'S256',
      })
      return { address, pending }
    },

    async finish(callback, { state, nonce, code_verifier }) {
      try {
        const tokens = await oidc.authorizationCodeGrant(await discover(), callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: code_verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined || tokens.id_token === undefined)
          throw new Error('The login service sent no ID Token.')
        return { claims, id_token: tokens.id_token }
      } catch (error) {
        if (error instanceof oidc.AuthorizationResponseError) throw new LoginRefused(error.error, { cause: error })
        throw error
      }
    },

    async logoutAddress(idToken) {
      return oidc.buildEndSessionUrl(await discover(), {
        id_token_hint: idToken,
        post_logout_redirect_uri: postLogoutRedirectUri,
      })
    },
  }
}
