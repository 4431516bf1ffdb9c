import { z } from 'zod'
import { type ProviderData, ProviderUserId } from '#contracts'
import { parseJson, readParameters } from '#http'
import { requestedItems } from '../domain/requested-items.ts'
import { Claims } from './claims.ts'
import { callSigned, OAuth1Failure, type Signer } from './oauth1-call.ts'
import { moverTo, type OAuth1Description } from './oauth1-description.ts'
import type { Person } from './oauth2-description.ts'
import { type Adapter, askable, type Connection, type LoginProvider, ProviderRefusal } from './provider.ts'

/** What the credential object of the specification holds of each. */
const token = z.string().min(1).max(255)

const RequestToken = z.object({
  oauth_token: token,
  oauth_token_secret: token,
  // Without it the provider may not have heeded our callback (RFC 5849 2.1).
  oauth_callback_confirmed: z.literal('true'),
})
// `user_id` is not of RFC 5849.
const AccessToken = z.object({ oauth_token: token, oauth_token_secret: token, user_id: ProviderUserId })

const Kept = z.object({ request_token: token, request_secret: token })

const noData: ProviderData = { profile: {}, follow: null, email: [], phone: [] }

/** A login provider that speaks three-legged OAuth 1.0a. */
export function oauth1(description: OAuth1Description): Adapter {
  const { provider, manifest } = description
  return { provider, manifest, connect: (connection) => connect(description, connection) }
}

function connect(description: OAuth1Description, { simulatorUrl, fetch }: Connection): LoginProvider {
  const { provider, endpoints, prompts, people, token_is_over } = description
  const at = moverTo(simulatorUrl, description)

  /** The first resource that the application may ask. */
  const askPerson = async (
    [first, ...others]: ReturnType<OAuth1Description['people']>,
    signer: Signer,
  ): Promise<Person & { claims: Claims }> => {
    try {
      const answer = parseJson(await callSigned(fetch, { method: 'GET', url: at(first.endpoint) }, signer))
      return { ...first.read(answer), claims: Claims.parse(answer) }
    } catch (error) {
      const [second, ...rest] = others
      if (second === undefined || !(error instanceof OAuth1Failure) || error.status !== 403) throw error
      return askPerson([second, ...rest], signer)
    }
  }

  return {
    provider,
    passes: {},
    knowsMaxAge: false,

    async begin({ settings, callbackUri, state }, { prompts: asked = [] }) {
      const { client_id, client_secret } = settings
      // The protocol has no state, but the callback's own query comes back.
      const callback = new URL(callbackUri)
      callback.searchParams.set('state', state)
      const request = {
        method: 'POST',
        url: at(endpoints.request_token),
        oauth: { oauth_callback: callback.href },
      } as const
      const answer = await callSigned(fetch, request, { client_id, client_secret })
      const { oauth_token, oauth_token_secret } = RequestToken.parse(readForm(answer))

      const location = new URL(at(endpoints.authorization))
      const prompt = askable.find((question) => asked.includes(question) && prompts[question] !== undefined)
      const parameters = { oauth_token, ...(prompt && prompts[prompt]) }
      for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value)
      const kept = { request_token: oauth_token, request_secret: oauth_token_secret }
      return { location: location.href, kept }
    },

    async finish({ settings, scope }, { query, kept }) {
      const { client_id, client_secret } = settings
      const { request_token, request_secret } = Kept.parse(kept)
      const oauthVerifier = readVerifier(query, request_token)

      const exchange = {
        method: 'POST',
        url: at(endpoints.access_token),
        oauth: { oauth_verifier: oauthVerifier },
      } as const
      const requester = { client_id, client_secret, token: { token: request_token, secret: request_secret } }
      const granted = AccessToken.parse(readForm(await callSigned(fetch, exchange, requester)))

      const access = { token: granted.oauth_token, secret: granted.oauth_token_secret }
      const requested = requestedItems(provider, scope)
      // Providers may charge for reading the account.
      const person =
        requested.length === 0
          ? { provider_user_id: granted.user_id, data: noData, claims: { user_id: granted.user_id } }
          : await askPerson(people(requested), { client_id, client_secret, token: access })
      if (person.provider_user_id !== granted.user_id) throw new Error('The provider told of another person.')
      return {
        ...person,
        credential: {
          access_token: access.token,
          access_secret: access.secret,
          refresh_token: null,
          expires_at: null,
        },
        auth_time: undefined,
        friendship_status: undefined,
      }
    },

    async leave({ client_id, client_secret }, { access_token, access_secret }) {
      if (access_token === null || access_secret === null) return
      const request = { method: 'POST', url: at(endpoints.invalidation) } as const
      try {
        await callSigned(fetch, request, {
          client_id,
          client_secret,
          token: { token: access_token, secret: access_secret },
        })
      } catch (error) {
        if (!(error instanceof OAuth1Failure) || error.code !== token_is_over) throw error
      }
    },
  }
}

/**
 * The verifier of a callback that belongs to the request token the login was begun with.
 *
 * @throws ProviderRefusal when the person said no
 */
function readVerifier(query: string, requestToken: string): string {
  const { values } = readParameters(query)
  // Not of RFC 5849, which has the person sent back with nothing.
  if (values.get('denied') === requestToken) throw new ProviderRefusal('access_denied')
  if (values.get('oauth_token') !== requestToken) throw new Error('The callback belongs to another request token.')
  return token.parse(values.get('oauth_verifier'))
}

/** An answer's form; of a name that comes twice there is none, so that it is never taken for one of its values. */
function readForm(answer: string): Record<string, string> {
  return Object.fromEntries(readParameters(answer).values)
}
