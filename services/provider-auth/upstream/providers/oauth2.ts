import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  fetchProtectedResource,
  genericGrantRequest,
  randomPKCECodeVerifier,
  refreshTokenGrant,
  type TokenEndpointResponse,
  tokenRevocation,
} from 'openid-client'
import { z } from 'zod'
import { ProviderUserId } from '#contracts'
import type { ProviderTokens } from '../../domain/credential.ts'
import { deriveCodeChallenge } from '../../domain/pkce.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { listRequestedItems } from '../../domain/requested-items.ts'
import { Claims } from './claims.ts'
import { createClientAuthentication } from './client-authentication.ts'
import { createConfigure } from './configure.ts'
import { createAppLoginVerifier } from './native-login.ts'
import { mapOAuth2ToSimulator, type OAuth2Description, type TokenExchange } from './oauth2-description.ts'
import { GrantInvalid, readProviderFailure, translateError } from './oauth2-errors.ts'
import {
  type Adapter,
  type AdapterDeps,
  type ProviderClient,
  ProviderRequestFailed,
  ReauthenticationRequired,
  supportedPrompts,
} from './provider.ts'
import { type GrantedTokens, parseTokenResponse } from './token-response.ts'

const AdapterStateSchema = z.object({ code_verifier: z.string().min(1) })

/**
 * Creates the adapter of a provider that uses the code flow of OAuth 2.0 and identifies the user by a resource. Logins
 * always use state.
 */
export function oauth2(real: OAuth2Description): Adapter {
  const { provider, manifest } = real
  return { provider, manifest, connect: (connection) => connect(real, connection) }
}

function connect(real: OAuth2Description, { simulatorUrl, fetch, logger }: AdapterDeps): ProviderClient {
  const description = simulatorUrl === undefined ? real : mapOAuth2ToSimulator(real, simulatorUrl)
  const { provider, passedParameters, supportsPkce, prompts, userResource, toTokenProof, exchange, deauthorization } =
    description
  const { revocation } = description.endpoints

  const configure = createConfigure((settings) => configurationOf(description, settings), { simulatorUrl, fetch })
  /** Awaits and parses a token response. */
  const parseGrantedTokens = async (granted: Promise<TokenEndpointResponse>) =>
    parseTokenResponse(
      await granted.catch(async (error) => {
        throw await translateError(error, description)
      }),
    )
  /** Sends a request with the access token and returns the response if it is successful. */
  const callWithToken = async (
    method: string,
    endpoint: string,
    accessToken: string,
    settings: SiteProviderSettings,
  ) => {
    const url = withParameters(endpoint, toTokenProof?.(accessToken, settings))
    const response = await fetchProtectedResource(configure(settings), accessToken, url, method)
    if (response.ok) return response
    throw (await readProviderFailure(response, description)) ?? new ProviderRequestFailed(`status_${response.status}`)
  }
  const exchangeToken = async (
    { grant_type, parameter }: TokenExchange,
    accessToken: string,
    settings: SiteProviderSettings,
  ) => parseGrantedTokens(genericGrantRequest(configure(settings), grant_type, { [parameter]: accessToken }))

  /** Exchanges a short-lived token. If that fails, the login continues with it. */
  const exchangeShortToken = async (tokens: GrantedTokens, settings: SiteProviderSettings): Promise<ProviderTokens> => {
    if (exchange === undefined || !endsWithin(exchange.minLifetimeSeconds, tokens)) return tokens
    try {
      return await exchangeToken(exchange, tokens.access_token, settings)
    } catch (error) {
      logger.warn({ error, provider }, 'exchanging a short-lived token failed; the login continues with it')
      return tokens
    }
  }

  const refreshTokens = async (settings: SiteProviderSettings, stored: ProviderTokens): Promise<ProviderTokens> => {
    const { access_token, refresh_token } = stored
    if (exchange !== undefined) {
      if (access_token === null || endsWithin(0, stored)) throw new ReauthenticationRequired()
      return exchangeToken(exchange, access_token, settings)
    }
    if (refresh_token === null) throw new ReauthenticationRequired()
    return parseGrantedTokens(refreshTokenGrant(configure(settings), refresh_token))
  }

  return {
    provider,
    passedParameters,
    supportsMaxAge: false,

    async startLogin(
      { settings, callbackUri, state, scope },
      { passedParameters: selected, prompts: requestedPrompts = [] },
    ) {
      const prompt = supportedPrompts.find((known) => requestedPrompts.includes(known) && prompts[known] !== undefined)
      const codeVerifier = randomPKCECodeVerifier()
      const url = buildAuthorizationUrl(configure(settings), {
        ...description.fixedParameters,
        ...selected,
        ...(prompt && prompts[prompt]),
        redirect_uri: callbackUri,
        scope: description.toProviderScopes(scope, settings).join(description.scopeSeparator ?? ' '),
        state,
        ...(supportsPkce && {
          code_challenge: deriveCodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }),
      })
      // Providers document spaces as %20.
      url.search = url.search.replaceAll('+', '%20')
      return { location: url.href, adapterState: supportsPkce ? { code_verifier: codeVerifier } : {} }
    },

    async finishLogin({ settings, callbackUri, state, scope }, { query, adapterState }) {
      const callback = new URL(callbackUri)
      callback.search = query
      callback.searchParams.delete('iss')
      const checks = {
        expectedState: state,
        ...(supportsPkce && { pkceCodeVerifier: AdapterStateSchema.parse(adapterState).code_verifier }),
      }
      const tokens = await parseGrantedTokens(authorizationCodeGrant(configure(settings), callback, checks))
      const parameters = userResource.parameters?.(listRequestedItems(provider, scope), settings)
      const { href } = withParameters(userResource.endpoint, parameters)
      const [body, credential] = await Promise.all([
        callWithToken('GET', href, tokens.access_token, settings).then((response) => response.json()),
        exchangeShortToken(tokens, settings),
      ])
      const { provider_user_id, data } = userResource.read(body, settings)
      return {
        provider_user_id: ProviderUserId.parse(provider_user_id),
        credential,
        data,
        claims: Claims.parse(body),
        auth_time: undefined,
        friendship_status: undefined,
      }
    },

    ...(real.native && { verifyAppLogin: createAppLoginVerifier(provider, real.native, { simulatorUrl, fetch }) }),

    async refresh(settings, stored) {
      try {
        return await refreshTokens(settings, stored)
      } catch (error) {
        throw error instanceof GrantInvalid ? new ReauthenticationRequired({ cause: error }) : error
      }
    },

    ...(deauthorization !== undefined && {
      async revoke(settings: SiteProviderSettings, { access_token }: ProviderTokens) {
        if (access_token === null) return
        try {
          await callWithToken('DELETE', deauthorization, access_token, settings)
        } catch (error) {
          // With an invalid token nothing can be revoked, and usually nothing is left to revoke.
          if (!(error instanceof GrantInvalid)) throw error
        }
      },
    }),
    ...(revocation !== undefined && {
      async revoke(settings: SiteProviderSettings, { access_token, refresh_token }: ProviderTokens) {
        for (const [tokenTypeHint, token] of Object.entries({ refresh_token, access_token })) {
          if (token !== null) await tokenRevocation(configure(settings), token, { token_type_hint: tokenTypeHint })
        }
      },
    }),
  }
}

/** The provider's configuration for openid-client. */
function configurationOf(description: OAuth2Description, settings: SiteProviderSettings): Configuration {
  const { issuer, endpoints } = description
  const server = {
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    ...(endpoints.revocation !== undefined && { revocation_endpoint: endpoints.revocation }),
  }
  return new Configuration(server, settings.client_id, {}, createClientAuthentication(description, settings))
}

/** Tokens without an expiry do not expire. */
function endsWithin(seconds: number, { expires_at }: ProviderTokens): boolean {
  return expires_at !== null && expires_at.getTime() <= Date.now() + seconds * 1_000
}

function withParameters(endpoint: string, parameters: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}
