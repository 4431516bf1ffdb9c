import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  clockTolerance,
  fetchProtectedResource,
  randomNonce,
  randomPKCECodeVerifier,
  refreshTokenGrant,
} from 'openid-client'
import { z } from 'zod'
import { ProviderUserId } from '#contracts'
import { clockToleranceSeconds } from '#http'
import type { ProviderTokens as HeldTokens } from '../../domain/credential.ts'
import { deriveCodeChallenge } from '../../domain/pkce.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { listRequestedItems, omitItems } from '../../domain/requested-items.ts'
import { omitProtocolClaims } from './claims.ts'
import { createClientAuthentication } from './client-authentication.ts'
import { createConfigure } from './configure.ts'
import { requestFriendshipStatus } from './friendship-status.ts'
import { createIdTokenVerifier } from './id-token.ts'
import { createAppLoginVerifier } from './native-login.ts'
import {
  mapOidcToSimulator,
  type OidcDescription,
  type SupplementaryResource,
  toNativeDescription,
} from './oidc-description.ts'
import { throwIfDenied, throwProviderError, throwRefreshError } from './oidc-errors.ts'
import {
  type Adapter,
  type AdapterDeps,
  type ProviderClient,
  ProviderRequestFailed,
  ReauthenticationRequired,
  supportedPrompts,
} from './provider.ts'
import { isPrivateKey } from './signed-secret.ts'
import { parseTokenResponse } from './token-response.ts'
import { fetchUserinfo } from './userinfo.ts'

const AdapterStateSchema = z.object({ nonce: z.string().min(1), code_verifier: z.string().min(1).optional() })

const IdTokenResponse = z.object({ id_token: z.string() })

/**
 * Creates the adapter of a provider that uses the code flow of OpenID Connect. Logins always use state and nonce, and
 * PKCE if the provider supports it.
 */
export function oidc(real: OidcDescription): Adapter {
  const { provider, manifest } = real
  return { provider, manifest, connect: (connection) => connect(real, connection) }
}

function connect(real: OidcDescription, { simulatorUrl, fetch, logger, skipProfile }: AdapterDeps): ProviderClient {
  const description = simulatorUrl === undefined ? real : mapOidcToSimulator(real, simulatorUrl)
  const { provider, passedParameters, supportsMaxAge, supportsPkce = true, usesFormPost = false } = description
  const { friendshipStatus: friendshipResource, revocation } = description
  const native = toNativeDescription(real)
  const checkIdToken = createIdTokenVerifier(description, fetch)
  const configure = createConfigure((settings) => configurationOf(description, settings), { simulatorUrl, fetch })

  const hasBecomeFriend = (returned: URLSearchParams, { official_account }: SiteProviderSettings) =>
    official_account && description.isNewFriend?.(returned) === true

  const fetchSupplement = async <T>(
    resource: SupplementaryResource<T> | undefined,
    configuration: Configuration,
    accessToken: string,
  ) => {
    if (resource === undefined) return undefined
    try {
      const response = await fetchProtectedResource(configuration, accessToken, new URL(resource.endpoint), 'GET')
      if (!response.ok) throw new ProviderRequestFailed(`status_${response.status}`)
      return resource.read(await response.json())
    } catch (error) {
      logger.warn({ error, provider }, 'an optional resource of the provider failed; the login continues without it')
      return undefined
    }
  }

  const loginProvider: ProviderClient = {
    provider,
    passedParameters,
    supportsMaxAge,
    usesFormPost,
    ...(description.client_authentication === 'signed_secret' && { isValidSecret: isPrivateKey }),

    async startLogin(
      { settings, callbackUri, state, scope, extendedItems },
      { passedParameters: selected, prompts = [], max_age = null },
    ) {
      const prompt = supportedPrompts.find(
        (known) => prompts.includes(known) && description.prompts[known] !== undefined,
      )
      const codeVerifier = supportsPkce ? randomPKCECodeVerifier() : undefined
      const adapterState = { nonce: randomNonce(), ...(codeVerifier !== undefined && { code_verifier: codeVerifier }) }
      const url = buildAuthorizationUrl(configure(settings), {
        ...description.fixedParameters,
        ...description.toSiteParameters?.(settings),
        ...selected,
        ...(prompt && { prompt: description.prompts[prompt] }),
        ...(usesFormPost && { response_mode: 'form_post' }),
        ...(supportsMaxAge && max_age !== null && { max_age: String(max_age) }),
        redirect_uri: callbackUri,
        scope: description.toProviderScopes(scope, settings, extendedItems).join(' '),
        state,
        nonce: adapterState.nonce,
        ...(codeVerifier !== undefined && {
          code_challenge: deriveCodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }),
      })
      // Providers document spaces as %20.
      url.search = url.search.replaceAll('+', '%20')
      return { location: url.href, adapterState }
    },

    async finishLogin({ settings, callbackUri, state, scope, extendedItems }, { query, adapterState }) {
      const { nonce, code_verifier } = AdapterStateSchema.parse(adapterState)
      const configuration = configure(settings)
      const callback = new URL(callbackUri)
      callback.search = query
      throwIfDenied(callback.searchParams)
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        ...(code_verifier !== undefined && { pkceCodeVerifier: code_verifier }),
        idTokenExpected: true,
      }
      const granted = await authorizationCodeGrant(configuration, callback, checks).catch(throwProviderError)
      const { id_token } = IdTokenResponse.parse(granted)
      const credential = parseTokenResponse(granted)
      const { access_token } = credential
      const idClaims = granted.claims()
      const providerUserId = ProviderUserId.parse(idClaims?.sub)

      const requested = listRequestedItems(provider, scope)
      const { additionalClaims } = description
      const requestsMore = additionalClaims?.items.some((item) => requested.includes(item))
      const [userinfo, supplementClaims, friendshipStatus] = await Promise.all([
        requested.length === 0
          ? {}
          : fetchUserinfo(description, { configuration, access_token, provider_user_id: providerUserId, skipProfile }),
        fetchSupplement(requestsMore ? additionalClaims : undefined, configuration, access_token),
        fetchSupplement(settings.official_account ? friendshipResource : undefined, configuration, access_token),
        checkIdToken(id_token, settings),
      ])
      const claims = {
        ...description.readCallbackClaims?.(callback.searchParams),
        ...idClaims,
        ...userinfo,
        ...supplementClaims,
      }
      const providerScopes = description.toProviderScopes(scope, settings, extendedItems)
      const unrequested = description.listUnrequestedItems?.(providerScopes) ?? []
      const data = omitItems(description.toProviderData(claims), unrequested)
      const withheld =
        userinfo === undefined ? requested : supplementClaims === undefined ? (additionalClaims?.items ?? []) : []
      return {
        provider_user_id: providerUserId,
        credential,
        data: { ...data, not_obtained: [...(data.not_obtained ?? []), ...withheld] },
        claims: omitProtocolClaims(claims),
        auth_time: idClaims?.auth_time === undefined ? undefined : new Date(idClaims.auth_time * 1_000),
        // The browser delivered it, so it counts only if the provider itself did not respond.
        friendship_status: friendshipStatus ?? (hasBecomeFriend(callback.searchParams, settings) ? true : undefined),
      }
    },

    // OpenID Connect Core 12. If the response has no refresh token, the current one stays.
    async refresh(settings, tokens, providerUserId) {
      if (tokens.refresh_token === null) throw new ReauthenticationRequired()
      const granted = await refreshTokenGrant(configure(settings), tokens.refresh_token).catch(throwRefreshError)
      const refreshed = parseTokenResponse(granted)
      const sub = granted.claims()?.sub
      if (sub !== undefined && providerUserId !== undefined && sub !== providerUserId)
        throw new Error('The provider returned the tokens of another user.')
      return { ...refreshed, refresh_token: refreshed.refresh_token ?? tokens.refresh_token }
    },

    ...(native && { verifyAppLogin: createAppLoginVerifier(provider, native, { simulatorUrl, fetch }) }),

    ...(friendshipResource && {
      fetchFriendshipStatus: (accessToken: string, timeoutMs: number) =>
        requestFriendshipStatus(friendshipResource, { fetch, access_token: accessToken, timeoutMs }),
    }),

    ...(revocation && {
      async revoke(settings: SiteProviderSettings, tokens: HeldTokens) {
        const usableTokens = revocation.needsValidToken
          ? await refreshExpiredTokens(loginProvider, settings, tokens)
          : tokens
        await revocation.revoke(settings, usableTokens, { fetch, issuer: description.issuer })
      },
    }),
  }
  return loginProvider
}

/** Returns refreshed tokens if the access token has expired and can be refreshed without the end user. */
async function refreshExpiredTokens(
  { refresh }: ProviderClient,
  settings: SiteProviderSettings,
  tokens: HeldTokens,
): Promise<HeldTokens> {
  const hasEnded =
    tokens.expires_at !== null && tokens.expires_at.getTime() <= Date.now() + clockToleranceSeconds * 1_000
  if (!hasEnded || refresh === undefined) return tokens
  try {
    return await refresh(settings, tokens)
  } catch (error) {
    if (error instanceof ReauthenticationRequired) return tokens
    throw error
  }
}

/**
 * The provider's configuration for openid-client, from our own data: discovery documents of some providers have been
 * wrong.
 */
function configurationOf(description: OidcDescription, settings: SiteProviderSettings): Configuration {
  const { issuer, endpoints, id_token } = description
  const server = {
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    ...(endpoints.userinfo !== undefined && { userinfo_endpoint: endpoints.userinfo }),
  }
  const client = { id_token_signed_response_alg: id_token.alg, [clockTolerance]: clockToleranceSeconds }
  const authentication = createClientAuthentication(description, settings)
  return new Configuration(server, settings.client_id, client, authentication)
}
