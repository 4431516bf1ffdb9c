import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  fetchProtectedResource,
  randomNonce,
  randomPKCECodeVerifier,
  refreshTokenGrant,
} from 'openid-client'
import { z } from 'zod'
import { ProviderUserId } from '#contracts'
import { clockToleranceSeconds } from '#http'
import type { Tokens as HeldTokens } from '../domain/credential.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { requestedItems } from '../domain/requested-items.ts'
import { aboutPerson } from './claims.ts'
import { authenticateClient } from './client-authentication.ts'
import { askFriendStatus } from './friend-status.ts'
import { idTokenCheck } from './id-token.ts'
import { atSimulator, type OidcDescription, type Supplement } from './oidc-description.ts'
import { throwInOurWords, throwRefusal, throwWhyNotRenewed } from './oidc-failure.ts'
import {
  type Adapter,
  askable,
  type Connection,
  type LoginProvider,
  ProviderFailure,
  ReauthNeeded,
} from './provider.ts'
import { isPrivateKey } from './signed-secret.ts'
import { askUserinfo } from './userinfo.ts'

const Kept = z.object({ nonce: z.string().min(1), code_verifier: z.string().min(1).optional() })

const token = z.string().min(1).max(65_535)
const Tokens = z.object({
  access_token: token,
  refresh_token: token.nullable().default(null),
  id_token: z.string(),
  expires_in: z.number().nonnegative().optional(),
})

const RenewedTokens = Tokens.omit({ id_token: true })

/** A login provider that speaks OpenID Connect's code flow, always with state and nonce, and with PKCE where it knows that. */
export function oidc(real: OidcDescription): Adapter {
  const { provider, manifest } = real
  return { provider, manifest, connect: (connection) => connect(real, connection) }
}

function connect(real: OidcDescription, { simulatorUrl, fetch, logger }: Connection): LoginProvider {
  const description = simulatorUrl === undefined ? real : atSimulator(real, simulatorUrl)
  const { provider, passes, knowsMaxAge, knowsPkce = true, returnsByForm = false, friendStatus, leaving } = description
  const checkIdToken = idTokenCheck(description, fetch)
  const configure = (settings: ProviderSettings) => {
    const configuration = configurationOf(description, settings)
    configuration[customFetch] = fetch
    if (simulatorUrl !== undefined) allowInsecureRequests(configuration)
    return configuration
  }

  const isNewFriend = (returned: URLSearchParams, { official_account }: ProviderSettings) =>
    official_account && description.becameFriend?.(returned) === true

  const supplement = async <T>(
    wanted: Supplement<T> | undefined,
    configuration: Configuration,
    accessToken: string,
  ) => {
    if (wanted === undefined) return undefined
    try {
      const response = await fetchProtectedResource(configuration, accessToken, new URL(wanted.endpoint), 'GET')
      if (!response.ok) throw new ProviderFailure(`status_${response.status}`)
      return wanted.read(await response.json())
    } catch (error) {
      logger.warn({ error, provider }, 'a provider did not supply something a login can do without')
      return undefined
    }
  }

  const loginProvider: LoginProvider = {
    provider,
    passes,
    knowsMaxAge,
    returnsByForm,
    ...(description.client_authentication === 'signed_secret' && { acceptsSecret: isPrivateKey }),

    async begin({ settings, callbackUri, state, scope }, { passed, prompts = [], max_age = null }) {
      const prompt = askable.find((asked) => prompts.includes(asked) && description.prompts[asked] !== undefined)
      const codeVerifier = knowsPkce ? randomPKCECodeVerifier() : undefined
      const kept = { nonce: randomNonce(), ...(codeVerifier !== undefined && { code_verifier: codeVerifier }) }
      const url = buildAuthorizationUrl(configure(settings), {
        ...description.always,
        ...passed,
        ...(prompt && { prompt: description.prompts[prompt] }),
        ...(returnsByForm && { response_mode: 'form_post' }),
        ...(knowsMaxAge && max_age !== null && { max_age: String(max_age) }),
        redirect_uri: callbackUri,
        scope: description.scopesToAsk(scope, settings).join(' '),
        state,
        nonce: kept.nonce,
        ...(codeVerifier !== undefined && {
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }),
      })
      // Providers document a space as %20.
      url.search = url.search.replaceAll('+', '%20')
      return { location: url.href, kept }
    },

    async finish({ settings, callbackUri, state, scope }, { query, kept }) {
      const { nonce, code_verifier } = Kept.parse(kept)
      const configuration = configure(settings)
      const callback = new URL(callbackUri)
      callback.search = query
      throwRefusal(callback.searchParams)
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        ...(code_verifier !== undefined && { pkceCodeVerifier: code_verifier }),
        idTokenExpected: true,
      }
      const granted = await authorizationCodeGrant(configuration, callback, checks).catch(throwInOurWords)
      const { id_token, access_token, refresh_token, expires_in } = Tokens.parse(granted)
      const idClaims = granted.claims()
      const providerUserId = ProviderUserId.parse(idClaims?.sub)

      const requested = requestedItems(provider, scope)
      const { moreClaims } = description
      const requestsMore = moreClaims?.items.some((item) => requested.includes(item))
      const [userinfo, supplementClaims, friendshipStatus] = await Promise.all([
        requested.length === 0
          ? {}
          : askUserinfo(description, { configuration, access_token, provider_user_id: providerUserId, logger }),
        supplement(requestsMore ? moreClaims : undefined, configuration, access_token),
        supplement(settings.official_account ? friendStatus : undefined, configuration, access_token),
        checkIdToken(id_token, settings),
      ])
      const claims = {
        ...description.claimsOfReturn?.(callback.searchParams),
        ...idClaims,
        ...userinfo,
        ...supplementClaims,
      }
      const data = description.toProviderData(claims)
      const withheld =
        userinfo === undefined ? requested : supplementClaims === undefined ? (moreClaims?.items ?? []) : []
      return {
        provider_user_id: providerUserId,
        credential: {
          access_token,
          access_secret: null,
          refresh_token,
          expires_at: endOf(expires_in),
        },
        data: { ...data, not_obtained: [...(data.not_obtained ?? []), ...withheld] },
        claims: aboutPerson(claims),
        auth_time: idClaims?.auth_time === undefined ? undefined : new Date(idClaims.auth_time * 1_000),
        // The browser brought it, which proves less than the provider's own word: it counts where that did not come.
        friendship_status: friendshipStatus ?? (isNewFriend(callback.searchParams, settings) ? true : undefined),
      }
    },

    // OpenID Connect Core 12. The answer may lack a refresh token, and then the one held stays.
    async refresh(settings, held, providerUserId) {
      if (held.refresh_token === null) throw new ReauthNeeded()
      const granted = await refreshTokenGrant(configure(settings), held.refresh_token).catch(throwWhyNotRenewed)
      const { access_token, refresh_token, expires_in } = RenewedTokens.parse(granted)
      const sub = granted.claims()?.sub
      if (sub !== undefined && providerUserId !== undefined && sub !== providerUserId)
        throw new Error('The provider renewed the tokens of one person with those of another.')
      return {
        access_token,
        access_secret: null,
        refresh_token: refresh_token ?? held.refresh_token,
        expires_at: endOf(expires_in),
      }
    },

    ...(friendStatus && {
      askFriendStatus: (accessToken: string, timeoutMs: number) =>
        askFriendStatus(friendStatus, { fetch, access_token: accessToken, timeoutMs }),
    }),

    ...(leaving && {
      async leave(settings: ProviderSettings, held: HeldTokens) {
        const serving = leaving.needsLiveToken ? await renewEnded(loginProvider, settings, held) : held
        await leaving.leave(settings, serving, { fetch, issuer: description.issuer })
      },
    }),
  }
  return loginProvider
}

/** The tokens held, or fresh ones when the access token has ended and somebody else than the person can renew it. */
async function renewEnded(
  { refresh }: LoginProvider,
  settings: ProviderSettings,
  held: HeldTokens,
): Promise<HeldTokens> {
  const hasEnded = held.expires_at !== null && held.expires_at.getTime() <= Date.now() + clockToleranceSeconds * 1_000
  if (!hasEnded || refresh === undefined) return held
  try {
    return await refresh(settings, held)
  } catch (error) {
    if (error instanceof ReauthNeeded) return held
    throw error
  }
}

/** The provider as openid-client knows it, from our own facts: discovery documents of some providers have been wrong. */
function configurationOf(description: OidcDescription, settings: ProviderSettings): Configuration {
  const { issuer, endpoints, id_token, answersWithIss } = description
  const server = {
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    ...(endpoints.userinfo !== undefined && { userinfo_endpoint: endpoints.userinfo }),
    authorization_response_iss_parameter_supported: answersWithIss,
  }
  const client = { id_token_signed_response_alg: id_token.alg, [clockTolerance]: clockToleranceSeconds }
  const authentication = authenticateClient(description, settings)
  return new Configuration(server, settings.client_id, client, authentication)
}

function endOf(expiresIn: number | undefined): Date | null {
  return expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1_000)
}
