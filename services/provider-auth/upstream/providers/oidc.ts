import { decodeJwt } from 'jose'
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  fetchProtectedResource,
  randomNonce,
  randomPKCECodeVerifier,
  refreshTokenGrant,
} from 'openid-client'
import { z } from 'zod'
import { type OidcProtocol, ProviderUserId, supportedPrompts } from '#contracts'
import type { ProviderTokens as HeldTokens } from '../../domain/credential.ts'
import { deriveCodeChallenge } from '../../domain/pkce.ts'
import { Claims, omitProtocolClaims } from '../../domain/provider-claims.ts'
import { type ProviderClient, ProviderRequestFailed, ReauthenticationRequired } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { listRequestedItems, omitItems } from '../../domain/requested-items.ts'
import type { AdapterDeps, DescribedLogin } from './adapter.ts'
import { readCallbackClaims } from './callback-claims.ts'
import { createConfigure } from './configure.ts'
import { hasBecomeFriend, readFriendship, requestFriendshipStatus } from './friendship-status.ts'
import { createIdTokenVerifier, createSignatureVerifier } from './id-token.ts'
import { hasTenants } from './issuer.ts'
import { createAppLoginVerifier } from './native-login.ts'
import { createOidcConfiguration, mapAddresses } from './oidc-configuration.ts'
import { throwIfDenied, throwProviderError, throwRefreshError } from './oidc-errors.ts'
import { connectLogout, keepLogoutHint } from './oidc-logout.ts'
import type { ProviderHooks } from './provider-hooks.ts'
import { listUnpermitted, toProviderScopes } from './provider-scopes.ts'
import { readClaims } from './read-claims.ts'
import { refreshExpiredTokens } from './refresh-expired-tokens.ts'
import { createTokenRevoker } from './revoke-tokens.ts'
import { isPrivateKey } from './signed-secret.ts'
import { keepTenantIdTokens, tenantIdToken } from './token-endpoint.ts'
import { parseTokenResponse } from './token-response.ts'
import { fetchUserinfo } from './userinfo.ts'

const AdapterStateSchema = z.object({
  nonce: z.string().min(1).optional(),
  code_verifier: z.string().min(1).optional(),
})

/**
 * Connects a provider that uses the code flow of OpenID Connect. Logins always use state and nonce, and PKCE if the
 * provider supports it.
 */
export function connectOidc(
  login: DescribedLogin<OidcProtocol>,
  hooks: ProviderHooks,
  deps: AdapterDeps,
): ProviderClient {
  const { provider, description, protocol: real } = login
  const { toAddress, allowsHttp, fetch, logger, skipProfile } = deps
  const { revokeAccess } = hooks
  const protocol = mapAddresses(real, toAddress)
  const { passedParameters = {}, prompts, usesPkce, usesFormPost = false, supportsMaxAge = false } = protocol
  const { additionalClaims, friendship, revocation } = protocol
  const isOfTenants = hasTenants(protocol.issuer)
  const idTokenField = isOfTenants ? tenantIdToken : 'id_token'
  const verifySignature = createSignatureVerifier(protocol.idToken, fetch)
  const verifyIdToken = createIdTokenVerifier(protocol, verifySignature)
  const configure = createConfigure((settings) => createOidcConfiguration(protocol, settings), {
    allowsHttp,
    fetch: keepTenantIdTokens(protocol, fetch),
  })

  const fetchSupplement = async <T>(
    resource: { readonly endpoint: string; readonly read: (body: unknown) => T } | undefined,
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

  const client: ProviderClient = {
    provider,
    supplies: description.supplies,
    passedParameters,
    supportsMaxAge,
    usesFormPost,
    ...(protocol.clientAuthentication === 'signed_secret' && { isValidSecret: isPrivateKey }),

    async startLogin(
      { settings, callbackUri, state, scope, extendedItems },
      { passedParameters: selected, prompts: requested = [], max_age = null },
    ) {
      const prompt = supportedPrompts.find((known) => requested.includes(known) && prompts[known] !== undefined)
      const codeVerifier = usesPkce ? randomPKCECodeVerifier() : undefined
      const nonce = protocol.omitsNonce ? undefined : randomNonce()
      const adapterState = {
        ...(nonce !== undefined && { nonce }),
        ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
      }
      const url = buildAuthorizationUrl(configure(settings), {
        ...protocol.parameters,
        ...selectOptionParameters(protocol, settings),
        ...selected,
        ...(prompt && prompts[prompt]),
        ...(usesFormPost && { response_mode: 'form_post' }),
        ...(supportsMaxAge && max_age !== null && { max_age: String(max_age) }),
        redirect_uri: callbackUri,
        scope: toProviderScopes(protocol, description.permissions, {
          granted: scope,
          settings,
          permitted: extendedItems,
        }).join(' '),
        state,
        ...(nonce !== undefined && { nonce }),
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
        ...(nonce !== undefined && !isOfTenants && { expectedNonce: nonce }),
        ...(code_verifier !== undefined && { pkceCodeVerifier: code_verifier }),
        idTokenExpected: !isOfTenants,
      }
      const granted = await authorizationCodeGrant(configuration, callback, checks).catch(throwProviderError)
      const idToken = z.string().parse(granted[idTokenField])
      const credential = parseTokenResponse(granted)
      const { access_token } = credential
      // Used after it is verified, at the same time as the other requests.
      const idClaims = decodeJwt(idToken)
      const providerUserId = ProviderUserId.parse(idClaims.sub)

      const requested = listRequestedItems(description.supplies, scope)
      const needsMore = additionalClaims?.items.some((item) => requested.includes(item))
      const supplement = additionalClaims && { endpoint: additionalClaims.endpoint, read: parseClaims }
      const friendshipResource = friendship && {
        endpoint: friendship.endpoint,
        read: (body: unknown) => readFriendship(body, friendship.status),
      }
      const [userinfo, supplementClaims, friendshipStatus] = await Promise.all([
        requested.length === 0
          ? {}
          : fetchUserinfo(protocol, {
              configuration,
              settings,
              access_token,
              skipProfile,
              provider_user_id: providerUserId,
              verifySignature,
            }),
        fetchSupplement(needsMore ? supplement : undefined, configuration, access_token),
        fetchSupplement(settings.official_account ? friendshipResource : undefined, configuration, access_token),
        verifyIdToken(idToken, settings, nonce),
      ])
      const claims = {
        ...readCallbackClaims(protocol, callback.searchParams),
        ...idClaims,
        ...userinfo,
        ...supplementClaims,
      }
      const providerScopes = toProviderScopes(protocol, description.permissions, {
        granted: scope,
        settings,
        permitted: extendedItems,
      })
      const unpermitted = listUnpermitted(description.permissions, providerScopes)
      const data = omitItems(readClaims(protocol.claims, claims), unpermitted)
      const withheld =
        userinfo === undefined ? requested : supplementClaims === undefined ? (additionalClaims?.items ?? []) : []
      return {
        provider_user_id: providerUserId,
        credential,
        data: { ...data, not_obtained: [...(data.not_obtained ?? []), ...withheld] },
        claims: omitProtocolClaims(claims),
        auth_time: typeof idClaims.auth_time === 'number' ? new Date(idClaims.auth_time * 1_000) : undefined,
        ...keepLogoutHint(protocol, idToken),
        // The browser delivered it, so it counts only if the provider itself did not respond.
        friendship_status: friendshipStatus ?? (hasBecomeFriend(protocol, callback, settings) ? true : undefined),
      }
    },

    // OpenID Connect Core 12. If the response has no refresh token, the current one stays.
    async refresh(settings, tokens, providerUserId) {
      if (tokens.refresh_token === null) throw new ReauthenticationRequired()
      const granted = await refreshTokenGrant(configure(settings), tokens.refresh_token).catch(throwRefreshError)
      const refreshed = parseTokenResponse(granted)
      const idToken = granted[idTokenField]
      const sub = typeof idToken === 'string' ? decodeJwt(idToken).sub : undefined
      if (sub !== undefined && providerUserId !== undefined && sub !== providerUserId)
        throw new Error('The provider returned the tokens of another user.')
      return { ...refreshed, refresh_token: refreshed.refresh_token ?? tokens.refresh_token }
    },

    ...(description.native && {
      verifyAppLogin: createAppLoginVerifier(login, description.native, { hooks, deps }),
    }),

    ...(friendship && {
      fetchFriendshipStatus: (accessToken: string, timeoutMs: number) =>
        requestFriendshipStatus(friendship, { fetch, access_token: accessToken, timeoutMs }),
    }),

    ...connectLogout(protocol, configure),

    ...(revocation && { revoke: createTokenRevoker(real, revocation, deps) }),
    ...(revokeAccess && {
      async revoke(settings: SiteProviderSettings, tokens: HeldTokens) {
        const fetchMapped: typeof fetch = (address, request) => fetch(toAddress(address), request)
        await revokeAccess(settings, await refreshExpiredTokens(client, settings, tokens), fetchMapped)
      },
    }),
  }
  return client
}

function parseClaims(body: unknown): Claims {
  return Claims.parse(body)
}

function selectOptionParameters(
  { optionParameters = {} }: OidcProtocol,
  { options }: SiteProviderSettings,
): Record<string, string> {
  const selected = Object.entries(optionParameters).map(([name, byValue]) => byValue[options[name] ?? ''])
  return Object.assign({}, ...selected)
}
