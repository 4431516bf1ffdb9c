import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  fetchProtectedResource,
  genericGrantRequest,
  randomPKCECodeVerifier,
  refreshTokenGrant,
  type TokenEndpointResponse,
  tokenRevocation,
} from 'openid-client'
import { z } from 'zod'
import { ProviderUserId } from '#contracts'
import type { Tokens } from '../domain/credential.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { requestedItems } from '../domain/requested-items.ts'
import { Claims } from './claims.ts'
import { authenticateClient } from './client-authentication.ts'
import { type GivenTokens, readTokens } from './granted-tokens.ts'
import { atSimulator, type OAuth2Description, type TokenExchange } from './oauth2-description.ts'
import { GrantOver, inOurWords, readFailure } from './oauth2-failure.ts'
import {
  type Adapter,
  askable,
  type Connection,
  type LoginProvider,
  ProviderFailure,
  ReauthNeeded,
} from './provider.ts'

const KeptVerifier = z.object({ code_verifier: z.string().min(1) })

/** A login provider that speaks OAuth 2.0's code flow and tells who the person is by a resource, always with state. */
export function oauth2(real: OAuth2Description): Adapter {
  const { provider, manifest } = real
  return { provider, manifest, connect: (connection) => connect(real, connection) }
}

function connect(real: OAuth2Description, { simulatorUrl, fetch, logger }: Connection): LoginProvider {
  const description = simulatorUrl === undefined ? real : atSimulator(real, simulatorUrl)
  const { provider, passes, pkce, prompts, person, proof, exchange, deauthorization } = description
  const { revocation } = description.endpoints

  const configure = (settings: ProviderSettings) => {
    const configuration = configurationOf(description, settings)
    configuration[customFetch] = fetch
    if (simulatorUrl !== undefined) allowInsecureRequests(configuration)
    return configuration
  }
  /** What the provider grants, as tokens. */
  const tokensOf = async (granted: Promise<TokenEndpointResponse>) =>
    readTokens(
      await granted.catch(async (error) => {
        throw await inOurWords(error, description)
      }),
    )
  /** A call with the access token, whose answer is a success. */
  const call = async (method: string, endpoint: string, accessToken: string, settings: ProviderSettings) => {
    const url = withParameters(endpoint, proof?.(accessToken, settings))
    const response = await fetchProtectedResource(configure(settings), accessToken, url, method)
    if (response.ok) return response
    throw (await readFailure(response, description)) ?? new ProviderFailure(`status_${response.status}`)
  }
  const prolong = async ({ grant_type, parameter }: TokenExchange, accessToken: string, settings: ProviderSettings) =>
    tokensOf(genericGrantRequest(configure(settings), grant_type, { [parameter]: accessToken }))

  /** The login goes on with a token that ends soon if there is no better one. */
  const prolongShort = async (tokens: GivenTokens, settings: ProviderSettings): Promise<Tokens> => {
    if (exchange === undefined || !endsWithin(exchange.shortSeconds, tokens)) return tokens
    try {
      return await prolong(exchange, tokens.access_token, settings)
    } catch (error) {
      logger.warn({ error, provider }, 'a provider did not exchange a token for one that lives longer')
      return tokens
    }
  }

  const renew = async (settings: ProviderSettings, held: Tokens): Promise<Tokens> => {
    const { access_token, refresh_token } = held
    if (exchange !== undefined) {
      if (access_token === null || endsWithin(0, held)) throw new ReauthNeeded()
      return prolong(exchange, access_token, settings)
    }
    if (refresh_token === null) throw new ReauthNeeded()
    return tokensOf(refreshTokenGrant(configure(settings), refresh_token))
  }

  return {
    provider,
    passes,
    knowsMaxAge: false,

    async begin({ settings, callbackUri, state, scope }, { passed, prompts: asked = [] }) {
      const prompt = askable.find((question) => asked.includes(question) && prompts[question] !== undefined)
      const codeVerifier = randomPKCECodeVerifier()
      const url = buildAuthorizationUrl(configure(settings), {
        ...description.always,
        ...passed,
        ...(prompt && prompts[prompt]),
        redirect_uri: callbackUri,
        scope: description.scopesToAsk(scope, settings).join(description.scopeSeparator ?? ' '),
        state,
        ...(pkce && {
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }),
      })
      // Providers document a space as %20.
      url.search = url.search.replaceAll('+', '%20')
      return { location: url.href, kept: pkce ? { code_verifier: codeVerifier } : {} }
    },

    async finish({ settings, callbackUri, state, scope }, { query, kept }) {
      const callback = new URL(callbackUri)
      callback.search = query
      const checks = {
        expectedState: state,
        ...(pkce && { pkceCodeVerifier: KeptVerifier.parse(kept).code_verifier }),
      }
      const tokens = await tokensOf(authorizationCodeGrant(configure(settings), callback, checks))
      const parameters = person.parameters?.(requestedItems(provider, scope), settings)
      const { href } = withParameters(person.endpoint, parameters)
      const [answer, credential] = await Promise.all([
        call('GET', href, tokens.access_token, settings).then((response) => response.json()),
        prolongShort(tokens, settings),
      ])
      const { provider_user_id, data } = person.read(answer, settings)
      return {
        provider_user_id: ProviderUserId.parse(provider_user_id),
        credential,
        data,
        claims: Claims.parse(answer),
        auth_time: undefined,
        friendship_status: undefined,
      }
    },

    async refresh(settings, held) {
      try {
        return await renew(settings, held)
      } catch (error) {
        throw error instanceof GrantOver ? new ReauthNeeded({ cause: error }) : error
      }
    },

    ...(deauthorization !== undefined && {
      async leave(settings: ProviderSettings, { access_token }: Tokens) {
        if (access_token === null) return
        try {
          await call('DELETE', deauthorization, access_token, settings)
        } catch (error) {
          // With a token that is over nothing can be ended, and as a rule there is nothing left to end.
          if (!(error instanceof GrantOver)) throw error
        }
      },
    }),
    ...(revocation !== undefined && {
      async leave(settings: ProviderSettings, { access_token, refresh_token }: Tokens) {
        for (const [tokenTypeHint, token] of Object.entries({ refresh_token, access_token })) {
          if (token !== null) await tokenRevocation(configure(settings), token, { token_type_hint: tokenTypeHint })
        }
      },
    }),
  }
}

/** The provider as openid-client knows it. */
function configurationOf(description: OAuth2Description, settings: ProviderSettings): Configuration {
  const { issuer, endpoints } = description
  const server = {
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    ...(endpoints.revocation !== undefined && { revocation_endpoint: endpoints.revocation }),
  }
  return new Configuration(server, settings.client_id, {}, authenticateClient(description, settings))
}

/** Tokens of which it is not known when they end do not. */
function endsWithin(seconds: number, { expires_at }: Tokens): boolean {
  return expires_at !== null && expires_at.getTime() <= Date.now() + seconds * 1_000
}

function withParameters(endpoint: string, parameters: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}
