import { type Context, readParameters } from '#http'
import { newToken } from '#runtime'
import type { Client } from '../../clients.ts'
import { withParameters } from '../../redirect.ts'
import { permissionFields } from './member.ts'
import { type Authorization, authorizationKey, isCurrent, type Social } from './state.ts'

export const provider = { name: 'social', title: 'Social' }

/** `GET /v26.0/dialog/oauth`. Whatever is wrong with a request gives a page; only the person's own no goes back. */
export function authorize(ctx: Context, social: Social): void {
  const { values } = readParameters(ctx.querystring)
  const accepted = accept(values, social)
  if ('refusal' in accepted) {
    social.render.refusal(ctx, 400, { heading: 'This request cannot go on', message: accepted.refusal, provider })
    return
  }
  const { client, redirect_uri, scopes } = accepted
  // Every address gets a fragment, so that scripts of the application find none of the page before.
  const back = (parameters: Record<string, string>) =>
    `${withParameters(redirect_uri, { ...parameters, state: values.get('state') })}#_=_`

  social.signIn.ask(ctx, {
    provider,
    client,
    redirect_uri,
    shares: scopes.map((scope) => shares[scope] ?? scope),
    ...(scopes.includes('email') ? { option: 'Do not share my e-mail address' } : {}),
    allow(name, keeps_email) {
      const authorization = authorized({ client_id: client.client_id, name }, social)
      const asks_again = values.get('auth_type') === 'rerequest'
      for (const scope of scopes) {
        if (authorization.declined.has(scope) && !asks_again) continue
        const declines = scope === 'email' && keeps_email
        authorization.declined[declines ? 'add' : 'delete'](scope)
        authorization.granted[declines ? 'delete' : 'add'](scope)
      }
      const code = newToken('AQ', 150)
      social.codes.set(code, { authorization, redirect_uri })
      return back({ code })
    },
    deny: () =>
      back({
        error: 'access_denied',
        error_code: '200',
        error_description: 'Permissions error',
        error_reason: 'user_denied',
      }),
  })
}

/** What the person gave the application before, or nothing yet. */
function authorized(who: Pick<Authorization, 'client_id' | 'name'>, social: Social): Authorization {
  const key = authorizationKey(who)
  const found = social.authorizations.get(key)
  if (found !== undefined && isCurrent(found, social)) return found
  const authorization: Authorization = {
    ...who,
    given_at_ms: Date.now(),
    granted: new Set(['public_profile']),
    declined: new Set(),
  }
  social.authorizations.set(key, authorization)
  return authorization
}

type Accepted = { client: Client; redirect_uri: string; scopes: readonly string[] }

function accept(values: ReadonlyMap<string, string>, { clients }: Social): Accepted | { refusal: string } {
  const client = clients.find('social', values.get('client_id'))
  if (client === undefined) return { refusal: 'Invalid App ID: the client_id is not registered here.' }
  const redirect_uri = values.get('redirect_uri')
  if (redirect_uri === undefined || !client.redirect_uris.includes(redirect_uri)) {
    return { refusal: 'URL blocked: the redirect_uri is not registered for this client. It must match to the letter.' }
  }
  if ((values.get('response_type') ?? 'code') !== 'code') return { refusal: 'The response_type must be code.' }
  // Separated by commas; spaces do too.
  const scopes = new Set([
    'public_profile',
    ...(values.get('scope') ?? '').split(/[ ,]+/).filter((word) => word !== ''),
  ])
  const unknown = [...scopes].filter((scope) => !Object.hasOwn(permissionFields, scope))
  if (unknown.length > 0) return { refusal: `Invalid scopes: ${unknown.join(', ')}.` }
  return { client, redirect_uri, scopes: [...scopes] }
}

const shares: Readonly<Record<string, string>> = {
  public_profile: 'Your name and profile picture',
  email: 'Your e-mail address',
  user_age_range: 'Your age range',
  user_birthday: 'Your birthday',
  user_gender: 'Your gender',
  user_hometown: 'Your home town',
  user_link: 'The address of your profile',
  user_location: 'Where you live',
}
