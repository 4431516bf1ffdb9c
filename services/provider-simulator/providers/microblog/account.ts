import { type Context, readParameters } from '#http'
import { bearerToken } from '../../oauth.ts'
import { verifyAccess } from './access-token.ts'
import { answerProblem, NumberedError } from './errors.ts'
import { type Member, memberNamed } from './member.ts'
import type { Microblog } from './state.ts'

/** `GET /1.1/account/verify_credentials.json`, signed; the plans of some applications do not include it. */
export async function verifyCredentials(ctx: Context, microblog: Microblog): Promise<void> {
  const { client_id, name } = await verifyAccess(ctx, microblog)
  if (!microblog.clients.find('microblog', client_id)?.api_v1) throw new NumberedError('plan')
  const { values } = readParameters(ctx.querystring)
  const { id, screen_name, description, location, picture, link, followers, following, email } = memberNamed(
    name,
    microblog,
  )
  ctx.body = {
    // Too long for a number: who reads this one has another person.
    id: Number(id),
    id_str: id,
    ...{ name, screen_name, location, description },
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
    ...(values.get('include_email') === 'true' && { email }),
  }
}

/**
 * `GET /2/users/me`, with a bearer token or signed. A field that the scopes do not cover is left out, and an error beside the
 * data says so.
 */
export async function showMe(ctx: Context, microblog: Microblog): Promise<void> {
  const asked = (readParameters(ctx.querystring).values.get('user.fields') ?? '').split(',')
  const bearer = bearerToken(ctx)
  if (ctx.get('Authorization') === '') return answerProblem(ctx, 401)
  const { name, scopes } =
    bearer === undefined
      ? { ...(await verifyAccess(ctx, microblog)), scopes: required_scopes.concat('users.email') }
      : (microblog.bearer_tokens.get(bearer) ?? { name: undefined, scopes: [] })
  if (name === undefined) return answerProblem(ctx, 401)
  if (!required_scopes.every((scope) => scopes.includes(scope))) return answerProblem(ctx, 403)

  const member = memberNamed(name, microblog)
  const { id, screen_name: username } = member
  const fields = Object.entries(fieldsOf(member)).filter(([field]) => asked.includes(field))
  const withheld = asked.includes('confirmed_email') && !scopes.includes('users.email') ? ['confirmed_email'] : []
  const shown = fields.filter(([field]) => !withheld.includes(field))
  ctx.body = {
    data: { id, name, username, ...Object.fromEntries(shown) },
    ...(withheld.length > 0 && { errors: withheld.map(fieldError) }),
  }
}

const required_scopes: readonly string[] = ['users.read', 'tweet.read']

function fieldsOf({ description, location, picture, link, followers, following, email }: Member) {
  return {
    ...{ description, location },
    profile_image_url: picture,
    url: link.url,
    entities: { url: { urls: [{ start: 0, end: link.url.length, ...link }] } },
    public_metrics: { followers_count: followers, following_count: following, tweet_count: 7, listed_count: 0 },
    verified: false,
    verified_type: 'none',
    confirmed_email: email,
  }
}

function fieldError(field: string) {
  const title = 'Field Authorization Error'
  const detail = `Sorry, you are not authorized to access '${field}' on the User.`
  return { resource_type: 'user', field, title, section: 'data', detail, type: 'not-authorized-for-field' }
}
