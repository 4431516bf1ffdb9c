import { z } from 'zod'
import { type OAuth1Protocol, type ProviderData, ProviderUserId, supportedPrompts } from '#contracts'
import { parseJson, readParameters } from '#http'
import { Claims } from '../../domain/provider-claims.ts'
import { type ProviderClient, ProviderLoginRejected } from '../../domain/provider-client.ts'
import { listRequestedItems } from '../../domain/requested-items.ts'
import type { AdapterDeps, DescribedLogin } from './adapter.ts'
import { type FetchUser, verifyOAuth1AppLogin } from './oauth1-native.ts'
import { OAuth1Error, sendSignedRequest } from './oauth1-request.ts'
import { buildUserAddress, readUserResource } from './user-resource.ts'

/** The maximum length in the specification's credential object. */
const token = z.string().min(1).max(255)

const RequestToken = z.object({
  oauth_token: token,
  oauth_token_secret: token,
  // Without it, the provider may have ignored our callback (RFC 5849 2.1).
  oauth_callback_confirmed: z.literal('true'),
})
// `user_id` is not part of RFC 5849.
const AccessToken = z.object({ oauth_token: token, oauth_token_secret: token, user_id: ProviderUserId })

const AdapterStateSchema = z.object({ request_token: token, request_secret: token })

const noData: ProviderData = { profile: {}, follow: null, email: [], phone: [] }

/** Connects a provider that uses three-legged OAuth 1.0a. */
export function connectOAuth1(
  { provider, description, protocol }: DescribedLogin<OAuth1Protocol>,
  { toAddress, fetch, skipProfile: skip }: AdapterDeps,
): ProviderClient {
  const { endpoints, prompts, users, invalidTokenCode } = protocol

  const skipProfile = (error: unknown) => {
    skip(error)
    return undefined
  }
  /** Requests the first resource that the application may read. */
  const fetchUser: FetchUser = async (login, credentials, [user, ...others] = users) => {
    try {
      const url = toAddress(buildUserAddress(user, description, login))
      const body = parseJson(await sendSignedRequest(fetch, { method: 'GET', url }, credentials))
      return { ...readUserResource(user, description, body, login.settings), claims: Claims.parse(body) }
    } catch (error) {
      const [second, ...rest] = others
      if (second === undefined || !(error instanceof OAuth1Error) || error.status !== 403) throw error
      return fetchUser(login, credentials, [second, ...rest])
    }
  }

  return {
    provider,
    supplies: description.supplies,
    passedParameters: {},
    supportsMaxAge: false,

    async startLogin({ settings, callbackUri, state }, { prompts: requestedPrompts = [] }) {
      const { client_id, client_secret } = settings
      // The protocol has no `state`, but the callback's own query is returned.
      const callback = new URL(callbackUri)
      callback.searchParams.set('state', state)
      const request = {
        method: 'POST',
        url: toAddress(endpoints.request_token),
        oauth: { oauth_callback: callback.href },
      } as const
      const body = await sendSignedRequest(fetch, request, { client_id, client_secret })
      const { oauth_token, oauth_token_secret } = RequestToken.parse(parseForm(body))

      const location = new URL(toAddress(endpoints.authorization))
      const prompt = supportedPrompts.find((known) => requestedPrompts.includes(known) && prompts[known] !== undefined)
      const parameters = { oauth_token, ...(prompt && prompts[prompt]) }
      for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value)
      const adapterState = { request_token: oauth_token, request_secret: oauth_token_secret }
      return { location: location.href, adapterState }
    },

    async finishLogin({ settings, scope }, { query, adapterState }) {
      const { client_id, client_secret } = settings
      const { request_token, request_secret } = AdapterStateSchema.parse(adapterState)
      const oauthVerifier = parseCallback(query, request_token)

      const exchange = {
        method: 'POST',
        url: toAddress(endpoints.access_token),
        oauth: { oauth_verifier: oauthVerifier },
      } as const
      const requester = { client_id, client_secret, token: { token: request_token, secret: request_secret } }
      const granted = AccessToken.parse(parseForm(await sendSignedRequest(fetch, exchange, requester)))

      const accessToken = { token: granted.oauth_token, secret: granted.oauth_token_secret }
      const requested = listRequestedItems(description.supplies, scope)
      // Reading the account is skipped if possible, because providers may charge for it.
      const user =
        requested.length === 0
          ? undefined
          : await fetchUser({ granted: scope, settings }, { client_id, client_secret, token: accessToken }).catch(
              skipProfile,
            )
      if (user !== undefined && user.provider_user_id !== granted.user_id)
        throw new Error('The provider returned the account of another user.')
      return {
        provider_user_id: granted.user_id,
        data: user?.data ?? { ...noData, not_obtained: [...requested] },
        claims: user?.claims ?? { user_id: granted.user_id },
        credential: {
          access_token: accessToken.token,
          access_secret: accessToken.secret,
          refresh_token: null,
          expires_at: null,
        },
        auth_time: undefined,
        friendship_status: undefined,
      }
    },

    verifyAppLogin: (settings, received, scope) => verifyOAuth1AppLogin(settings, received, scope, fetchUser),

    async revoke({ client_id, client_secret }, { access_token, access_secret }) {
      if (access_token === null || access_secret === null) return
      const request = { method: 'POST', url: toAddress(endpoints.invalidation) } as const
      try {
        await sendSignedRequest(fetch, request, {
          client_id,
          client_secret,
          token: { token: access_token, secret: access_secret },
        })
      } catch (error) {
        if (!(error instanceof OAuth1Error) || error.code !== invalidTokenCode) throw error
      }
    },
  }
}

/**
 * Parses the verifier of a callback that belongs to the request token of the login.
 *
 * @throws ProviderLoginRejected if the end user denied the login
 */
function parseCallback(query: string, requestToken: string): string {
  const { values } = readParameters(query)
  // Not part of RFC 5849, which returns the end user without parameters.
  if (values.get('denied') === requestToken) throw new ProviderLoginRejected('access_denied')
  if (values.get('oauth_token') !== requestToken) throw new Error('The callback belongs to another request token.')
  return token.parse(values.get('oauth_verifier'))
}

/** Parses a form-encoded response. A repeated name is omitted, so that none of its values is used. */
function parseForm(body: string): Record<string, string> {
  return Object.fromEntries(readParameters(body).values)
}
