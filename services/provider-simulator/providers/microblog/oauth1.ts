import { type Context, readParameters } from '#http'
import { equalSecrets, newToken } from '#runtime'
import type { SimulatedClient } from '../../client-registry.ts'
import { createExpiringMap } from '../../expiring-map.ts'
import { identify, type OAuthServer } from '../../oauth/server.ts'
import { withParameters } from '../../redirect.ts'
import { createTokenStore } from '../../scenarios/token-store.ts'
import { createNumberedError } from './errors.ts'
import { deriveProfile } from './profile.ts'
import { clockSeconds, createVerifySignature } from './signature.ts'

/**
 * A request token, with which the client sends the end user to the provider and which it exchanges for an access token
 * (RFC 5849 2).
 */
interface RequestToken {
  readonly client_id: string
  readonly secret: string
  readonly callback: string
  /** Set after the end user has consented. */
  readonly consent?: { readonly name: string; readonly verifier: string }
}

/** Does not expire, and stays the same at every login until it is invalidated. */
interface AccessToken {
  readonly client_id: string
  readonly name: string
  readonly token: string
  readonly secret: string
}

/** The handlers of OAuth 1.0a. All except `authenticate` throw SimulatedError with the provider's code. */
export interface OAuth1 {
  readonly issueRequestToken: (ctx: Context) => Promise<void>
  readonly authenticate: (ctx: Context) => void
  readonly issueAccessToken: (ctx: Context) => Promise<void>
  readonly invalidateToken: (ctx: Context) => Promise<void>
  /** The access token that a request is signed with. */
  readonly verifyAccess: (ctx: Context) => Promise<AccessToken>
}

/** In seconds. Our choice: it is not documented. */
const requestTokenLifetime = 900

/** OAuth 1.0a (RFC 5849) for the clients and end users of the provider's OAuth 2.0 server. */
export function createOAuth1(server: OAuthServer): OAuth1 {
  const { clients, dialect, render, scenarios, signIn } = server
  const provider = { name: dialect.name, title: dialect.title }
  const requestTokens = createExpiringMap<RequestToken>(requestTokenLifetime)
  const accessTokens = createTokenStore<AccessToken>({
    provider: dialect.name,
    scenarios,
    kind: 'lasting',
    lifetimeSeconds: Number.POSITIVE_INFINITY,
  })
  // By client ID and name.
  const tokensOfUsers = createExpiringMap<string>(Number.POSITIVE_INFINITY)
  const verifySignature = createVerifySignature(server, createExpiringMap(2 * clockSeconds))

  const findAccess = (token: string | undefined, { client_id }: SimulatedClient) => {
    const access = accessTokens.get(token)
    return access?.client_id === client_id ? access : undefined
  }
  const verifyAccess: OAuth1['verifyAccess'] = async (ctx) => {
    const { token, client } = await verifySignature(ctx, (name, of) => findAccess(name, of)?.secret)
    const access = findAccess(token, client)
    if (access === undefined) throw createNumberedError('token_is_over')
    return access
  }
  /** Returns the end user's token for the client, or issues one. */
  const issueOrFindAccessToken = (clientId: string, name: string): AccessToken => {
    const key = `${clientId} ${name}`
    const accessToken = accessTokens.get(tokensOfUsers.get(key))
    if (accessToken !== undefined) return accessToken
    const token = newToken(`${identify({ client_id: clientId, name }, server).sub}-`, 24)
    const access = { client_id: clientId, name, token, secret: newToken('', 32) }
    accessTokens.set(token, access)
    tokensOfUsers.set(key, token)
    return access
  }

  return {
    verifyAccess,

    /** `POST /oauth/request_token`, signed with the client's secret only. */
    async issueRequestToken(ctx) {
      const { client, values } = await verifySignature(ctx, (token) => (token === undefined ? '' : undefined))
      const callback = values.get('oauth_callback')
      if (callback === undefined || !isRegistered(callback, client)) throw createNumberedError('callback')
      const [oauthToken, oauthTokenSecret] = [newToken('', 20), newToken('', 24)]
      requestTokens.set(oauthToken, { client_id: client.client_id, secret: oauthTokenSecret, callback })
      sendForm(ctx, {
        oauth_token: oauthToken,
        oauth_token_secret: oauthTokenSecret,
        oauth_callback_confirmed: 'true',
      })
    },

    /**
     * `GET /oauth/authenticate` and `/oauth/authorize`, which are the same here because the simulator has no sessions.
     */
    authenticate(ctx) {
      const oauthToken = readParameters(ctx.querystring).values.get('oauth_token')
      const request = requestTokens.get(oauthToken)
      const client = clients.find(dialect.name, request?.client_id)
      if (oauthToken === undefined || request === undefined || client === undefined || request.consent) {
        const message =
          'The request token is unknown, was already used or has expired. Go back to the application and log in again.'
        render.errorPage(ctx, 403, { heading: 'This page is no longer valid', message, provider })
        return
      }
      const { callback } = request
      signIn.start(ctx, {
        provider,
        client,
        redirect_uri: callback,
        shares: ['Your account ID and name', 'Your public profile and number of followers', 'Your e-mail address'],
        allow(name) {
          const verifier = newToken('', 24)
          requestTokens.set(oauthToken, { ...request, consent: { name, verifier } })
          return withParameters(callback, { oauth_token: oauthToken, oauth_verifier: verifier })
        },
        deny() {
          requestTokens.take(oauthToken)
          return withParameters(callback, { denied: oauthToken })
        },
      })
    },

    /**
     * `POST /oauth/access_token`, signed with the secret of a request token that the end user consented to; the token
     * can be used once.
     */
    async issueAccessToken(ctx) {
      const { client, token, values } = await verifySignature(ctx, (name) => requestTokens.get(name)?.secret)
      const request = requestTokens.take(token)
      const consent = request?.client_id === client.client_id ? request.consent : undefined
      if (consent === undefined || !equalSecrets(values.get('oauth_verifier') ?? '', consent.verifier)) {
        throw createNumberedError('could_not_authenticate')
      }
      const { client_id } = client
      const access = issueOrFindAccessToken(client_id, consent.name)
      const { user, sub } = identify({ client_id, name: consent.name }, server)
      const { screenName } = deriveProfile(user)
      const { token: oauthToken, secret: oauthTokenSecret } = access
      sendForm(ctx, {
        oauth_token: oauthToken,
        oauth_token_secret: oauthTokenSecret,
        user_id: sub,
        screen_name: screenName,
      })
    },

    /** `POST /1.1/oauth/invalidate_token`: ends the access token that it is signed with. */
    async invalidateToken(ctx) {
      const { token } = await verifyAccess(ctx)
      accessTokens.take(token)
      ctx.body = { access_token: token }
    },
  }
}

/** Exact match, except for the query, which a client may add and cannot register. */
function isRegistered(callback: string, { redirect_uris }: SimulatedClient): boolean {
  const [address = '', ...rest] = callback.split('?')
  return rest.length <= 1 && !callback.includes('#') && redirect_uris.includes(address)
}

/** A form-encoded response (RFC 5849 2.1), which the provider declares as HTML. */
function sendForm(ctx: Context, fields: Readonly<Record<string, string>>): void {
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = new URLSearchParams(fields).toString()
}
