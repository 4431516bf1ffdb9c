import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  genericGrantRequest,
  randomPKCECodeVerifier,
  refreshTokenGrant,
  type TokenEndpointResponse,
} from 'openid-client'
import { z } from 'zod'
import { type OAuth2Protocol, ProviderUserId, supportedPrompts, type TokenExchange } from '#contracts'
import type { ProviderTokens } from '../../domain/credential.ts'
import { deriveCodeChallenge } from '../../domain/pkce.ts'
import { type ProviderClient, ReauthenticationRequired } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { listRequestedItems } from '../../domain/requested-items.ts'
import type { AdapterDeps, DescribedLogin } from './adapter.ts'
import { createClientAuthentication } from './client-authentication.ts'
import { createConfigure } from './configure.ts'
import { listItemsOf } from './further-resources.ts'
import { createAppLoginVerifier } from './native-login.ts'
import { GrantInvalid, translateError } from './oauth2-errors.ts'
import { createResourceClient } from './oauth2-resources.ts'
import type { ProviderHooks } from './provider-hooks.ts'
import { toProviderScopes } from './provider-scopes.ts'
import { createTokenRevoker } from './revoke-tokens.ts'
import { createTokenFetch, renameParameters } from './token-endpoint.ts'
import { type GrantedTokens, parseTokenResponse } from './token-response.ts'
import { buildUserAddress, readUserResource } from './user-resource.ts'

const AdapterStateSchema = z.object({ code_verifier: z.string().min(1) })

/**
 * Connects a provider that uses the code flow of OAuth 2.0 and identifies the user by a resource. Logins always use
 * state.
 */
export function connectOAuth2(
  login: DescribedLogin<OAuth2Protocol>,
  hooks: ProviderHooks,
  deps: AdapterDeps,
): ProviderClient {
  const { provider, description, protocol } = login
  const { toAddress, allowsHttp, logger } = deps
  const { passedParameters = {}, usesPkce, prompts, exchange, deauthorization, revocation, resources = {} } = protocol
  const further = Object.entries(resources).map(([name, endpoint]) => ({
    name,
    endpoint,
    items: listItemsOf(name, protocol.user.claims),
  }))
  const configure = createConfigure((settings) => configurationOf(protocol, settings, toAddress), {
    allowsHttp,
    fetch: createTokenFetch(protocol, toAddress, deps.fetch),
  })

  /** Awaits a token response. */
  const awaitGrant = async (granted: Promise<TokenEndpointResponse>) =>
    granted.catch(async (error) => {
      throw await translateError(error, protocol)
    })
  const parseGrantedTokens = async (granted: Promise<TokenEndpointResponse>) =>
    parseTokenResponse(await awaitGrant(granted))
  const { callWithToken, fetchUser, fetchResource } = createResourceClient(login, configure, deps)
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
    supplies: description.supplies,
    passedParameters,
    supportsMaxAge: false,

    async startLogin(
      { settings, callbackUri, state, scope },
      { passedParameters: selected, prompts: requestedPrompts = [] },
    ) {
      const prompt = supportedPrompts.find((known) => requestedPrompts.includes(known) && prompts[known] !== undefined)
      const codeVerifier = randomPKCECodeVerifier()
      const url = buildAuthorizationUrl(configure(settings), {
        ...protocol.parameters,
        ...selected,
        ...(prompt && prompts[prompt]),
        redirect_uri: callbackUri,
        scope: toProviderScopes(protocol, description.permissions, { granted: scope, settings }).join(
          protocol.scopeSeparator ?? ' ',
        ),
        state,
        ...(usesPkce && {
          code_challenge: deriveCodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }),
      })
      // Providers document spaces as %20.
      const query = renameParameters(url.searchParams, protocol.clientParameters ?? {})
      url.search = query.toString().replaceAll('+', '%20')
      return { location: url.href, adapterState: usesPkce ? { code_verifier: codeVerifier } : {} }
    },

    async finishLogin({ settings, callbackUri, state, scope }, { query, adapterState }) {
      const callback = new URL(callbackUri)
      callback.search = query
      callback.searchParams.delete('iss')
      const checks = {
        expectedState: state,
        ...(usesPkce && { pkceCodeVerifier: AdapterStateSchema.parse(adapterState).code_verifier }),
      }
      const granted = await awaitGrant(authorizationCodeGrant(configure(settings), callback, checks))
      const tokens = parseTokenResponse(granted)
      const { access_token } = tokens
      const address = buildUserAddress(protocol.user, description, { granted: scope, settings, response: granted })
      const requested = listRequestedItems(description.supplies, scope)
      const needed = further.filter(({ items }) => items.some((item) => requested.includes(item)))
      const [account, credential, ...others] = await Promise.all([
        fetchUser(address, access_token, settings),
        exchangeShortToken(tokens, settings),
        ...needed.map(async (resource) => ({
          ...resource,
          claims: await fetchResource(resource.endpoint, access_token, settings),
        })),
      ])
      const claims = { ...account, ...Object.fromEntries(others.map(({ name, claims }) => [name, claims])) }
      const { provider_user_id, data } = readUserResource(protocol.user, description, claims, settings)
      // What could not be fetched stays as of earlier logins.
      const withheld = others.flatMap(({ items, claims }) => (claims === undefined ? items : []))
      return {
        provider_user_id: ProviderUserId.parse(provider_user_id),
        credential,
        data: { ...data, not_obtained: [...(data.not_obtained ?? []), ...withheld] },
        claims,
        auth_time: undefined,
        friendship_status: undefined,
      }
    },

    ...(description.native && {
      verifyAppLogin: createAppLoginVerifier(login, description.native, { hooks, deps }),
    }),

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
    ...(revocation && { revoke: createTokenRevoker(protocol, revocation, deps) }),
  }
}

/** The provider's configuration for openid-client. */
function configurationOf(
  { endpoints, ...protocol }: OAuth2Protocol,
  settings: SiteProviderSettings,
  toAddress: AdapterDeps['toAddress'],
): Configuration {
  const issuer = toAddress(protocol.issuer)
  const server = {
    issuer,
    authorization_endpoint: toAddress(endpoints.authorization),
    token_endpoint: toAddress(endpoints.token),
  }
  return new Configuration(
    server,
    settings.client_id,
    {},
    createClientAuthentication({ ...protocol, issuer }, settings),
  )
}

/** Tokens without an expiry do not expire. */
function endsWithin(seconds: number, { expires_at }: ProviderTokens): boolean {
  return expires_at !== null && expires_at.getTime() <= Date.now() + seconds * 1_000
}
