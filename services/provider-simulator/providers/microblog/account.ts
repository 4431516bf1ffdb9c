import { type Context, readParameters } from '#http'
import { findGrant } from '../../oauth/grants.ts'
import { identify, type OAuthServer } from '../../oauth/server.ts'
import { readBearerToken } from '../../oauth/userinfo.ts'
import { createNumberedError } from './errors.ts'
import type { OAuth1 } from './oauth1.ts'
import { deriveProfile, type MicroblogProfile } from './profile.ts'

/** `GET /1.1/account/verify_credentials.json`, signed; the plans of some clients do not include it. */
export async function verifyCredentials(ctx: Context, oauth1: OAuth1, server: OAuthServer): Promise<void> {
  const { client, user, sub } = identify(await oauth1.verifyAccess(ctx), server)
  if (!client.api_v1) throw createNumberedError('plan')
  const { values } = readParameters(ctx.querystring)
  const { name, picture } = user
  const { screenName, description, location, link, followers, following, confirmedEmail } = deriveProfile(user)
  ctx.body = {
    // Exceeds the range of JSON numbers: clients that read it get another user.
    id: Number(sub),
    id_str: sub,
    name,
    screen_name: screenName,
    location,
    description,
    url: link.url,
    ...(values.get('include_entities') !== 'false' && {
      entities: { url: { urls: [{ ...link, indices: [0, link.url.length] }] }, description: { urls: [] } },
    }),
    protected: false,
    followers_count: followers,
    friends_count: following,
    verified: false,
    profile_image_url: picture,
    profile_image_url_https: picture,
    ...(values.get('include_email') === 'true' && { email: confirmedEmail }),
  }
}

const requiredScopes: readonly string[] = ['users.read', 'tweet.read']

/**
 * `GET /2/users/me`, with a bearer token or signed. Fields that the scopes do not cover are omitted, and `errors` lists
 * them.
 */
export async function showMicroblogUser(ctx: Context, oauth1: OAuth1, server: OAuthServer): Promise<void> {
  const requested = (readParameters(ctx.querystring).values.get('user.fields') ?? '').split(',')
  const bearer = readBearerToken(ctx)
  if (ctx.get('Authorization') === '') return sendProblem(ctx, 401)
  const access =
    bearer === undefined
      ? { ...(await oauth1.verifyAccess(ctx)), scopes: [...requiredScopes, 'users.email'] }
      : findGrant(server.grants.accessTokens, bearer)
  if (access === undefined) return sendProblem(ctx, 401)
  if (!requiredScopes.every((scope) => access.scopes.includes(scope))) return sendProblem(ctx, 403)

  const { user, sub } = identify(access, server)
  const { name, picture } = user
  const profile = deriveProfile(user)
  const withheld = access.scopes.includes('users.email') ? [] : ['confirmed_email']
  const fields = Object.entries(getFields(profile, picture)).filter(
    ([field]) => requested.includes(field) && !withheld.includes(field),
  )
  const errors = withheld.filter((field) => requested.includes(field)).map(fieldError)
  ctx.body = {
    data: { id: sub, name, username: profile.screenName, ...Object.fromEntries(fields) },
    ...(errors.length > 0 && { errors }),
  }
}

function getFields(
  { description, location, link, followers, following, confirmedEmail }: MicroblogProfile,
  picture: string,
) {
  return {
    description,
    location,
    profile_image_url: picture,
    url: link.url,
    entities: { url: { urls: [{ start: 0, end: link.url.length, ...link }] } },
    public_metrics: { followers_count: followers, following_count: following, tweet_count: 7, listed_count: 0 },
    verified: false,
    verified_type: 'none',
    confirmed_email: confirmedEmail,
  }
}

function fieldError(field: string) {
  const title = 'Field Authorization Error'
  const detail = `Sorry, you are not authorized to access '${field}' on the User.`
  return { resource_type: 'user', field, title, section: 'data', detail, type: 'not-authorized-for-field' }
}

/** An error of version 2 (RFC 9457). */
function sendProblem(ctx: Context, status: 401 | 403): void {
  const title = status === 401 ? 'Unauthorized' : 'Forbidden'
  ctx.status = status
  ctx.body = { title, type: 'about:blank', status, detail: title }
}
