import { type Context, readParameters } from '#http'
import { equalSecrets, newToken } from '#runtime'
import type { Client } from '../../clients.ts'
import { createExpiringMap } from '../../expiring-map.ts'
import { identify, type OAuthServer } from '../../oauth/server.ts'
import { withParameters } from '../../redirect.ts'
import { createTokens } from '../../scenarios/tokens.ts'
import { numberedError } from './errors.ts'
import { profileOf } from './profile.ts'
import { clockSeconds, createVerifySignature } from './signature.ts'

/** A request token, which the client sends the end user with and exchanges for an access token (RFC 5849 2). */
interface RequestToken {
  readonly client_id: string
  readonly secret: string
  readonly callback: string
  /** Set when the end user has agreed. */
  readonly agreed?: { readonly name: string; readonly verifier: string }
}

/** Without end, and the same at every login until it is invalidated. */
interface AccessToken {
  readonly client_id: string
  readonly name: string
  readonly token: string
  readonly secret: string
}

/** The handlers of OAuth 1.0a. All but `authenticate` throw ProviderError with the provider's number. */
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
  const accessTokens = createTokens<AccessToken>({
    ...{ provider: dialect.name, scenarios, kind: 'lasting' },
    lifetimeSeconds: Number.POSITIVE_INFINITY,
  })
  // By client id and name.
  const tokensOfUsers = createExpiringMap<string>(Number.POSITIVE_INFINITY)
  const verifySignature = createVerifySignature(server, createExpiringMap(2 * clockSeconds))

  const findAccess = (token: string | undefined, { client_id }: Client) => {
    const access = accessTokens.get(token)
    return access?.client_id === client_id ? access : undefined
  }
  const verifyAccess: OAuth1['verifyAccess'] = async (ctx) => {
    const { token, client } = await verifySignature(ctx, (name, of) => findAccess(name, of)?.secret)
    const access = findAccess(token, client)
    if (access === undefined) throw numberedError('token_is_over')
    return access
  }
  /** The end user's token for the client, issued unless there is one. */
  const accessTokenOf = (clientId: string, name: string): AccessToken => {
    const key = `${clientId} ${name}`
    const known = accessTokens.get(tokensOfUsers.get(key))
    if (known !== undefined) return known
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
      if (callback === undefined || !isRegistered(callback, client)) throw numberedError('callback')
      const [oauthToken, oauthTokenSecret] = [newToken('', 20), newToken('', 24)]
      requestTokens.set(oauthToken, { client_id: client.client_id, secret: oauthTokenSecret, callback })
      answerForm(ctx, {
        oauth_token: oauthToken,
        oauth_token_secret: oauthTokenSecret,
        oauth_callback_confirmed: 'true',
      })
    },

    /** `GET /oauth/authenticate` and `/oauth/authorize`, which do not differ here: no end user is signed in already. */
    authenticate(ctx) {
      const oauthToken = readParameters(ctx.querystring).values.get('oauth_token')
      const request = requestTokens.get(oauthToken)
      const client = clients.find(dialect.name, request?.client_id)
      if (oauthToken === undefined || request === undefined || client === undefined || request.agreed) {
        const message =
          'The request token is unknown, was used already or took too long. Go back to the application and begin again.'
        render.refusal(ctx, 403, { heading: 'This page is no longer valid', message, provider })
        return
      }
      const { callback } = request
      signIn.ask(ctx, {
        provider,
        client,
        redirect_uri: callback,
        shares: ['Your account id and name', 'Your public profile and how many follow you', 'Your e-mail address'],
        allow(name) {
          const verifier = newToken('', 24)
          requestTokens.set(oauthToken, { ...request, agreed: { name, verifier } })
          return withParameters(callback, { oauth_token: oauthToken, oauth_verifier: verifier })
        },
        deny() {
          requestTokens.take(oauthToken)
          return withParameters(callback, { denied: oauthToken })
        },
      })
    },

    /** `POST /oauth/access_token`, signed with the secret of a request token that the end user agreed to; it is used up. */
    async issueAccessToken(ctx) {
      const { client, token, values } = await verifySignature(ctx, (name) => requestTokens.get(name)?.secret)
      const request = requestTokens.take(token)
      const agreed = request?.client_id === client.client_id ? request.agreed : undefined
      if (agreed === undefined || !equalSecrets(values.get('oauth_verifier') ?? '', agreed.verifier)) {
        throw numberedError('could_not_authenticate')
      }
      const { client_id } = client
      const access = accessTokenOf(client_id, agreed.name)
      const { person, sub } = identify({ client_id, name: agreed.name }, server)
      const { screenName } = profileOf(person)
      const { token: oauthToken, secret: oauthTokenSecret } = access
      answerForm(ctx, {
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

/** To the letter, except for the query, which a client may add and cannot register. */
function isRegistered(callback: string, { redirect_uris }: Client): boolean {
  const [address = '', ...rest] = callback.split('?')
  return rest.length <= 1 && !callback.includes('#') && redirect_uris.includes(address)
}

/** A form-encoded response (RFC 5849 2.1), which the provider declares as HTML. */
function answerForm(ctx: Context, fields: Readonly<Record<string, string>>): void {
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = new URLSearchParams(fields).toString()
}
