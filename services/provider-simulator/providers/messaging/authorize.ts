import { type Context, readParameters } from '#http'
import { newToken } from '#runtime'
import { nowSeconds, wordsOf } from '../../oauth.ts'
import { redirect, withParameters } from '../../redirect.ts'
import { setFriend } from './friends.ts'
import { acceptCallback, problemOf } from './request.ts'
import { consentOf, type Messaging, memberNamed } from './state.ts'

const provider = { name: 'messaging', title: 'Messaging' }

/**
 * `GET /oauth2/v2.1/authorize`. A wrong client, callback address or use of bot_prompt gives a page; every later refusal goes
 * back with an error in upper case.
 */
export function authorize(ctx: Context, messaging: Messaging): void {
  const request = readParameters(ctx.querystring)
  const { values } = request
  const accepted = acceptCallback(request, messaging)
  if ('refusal' in accepted) {
    messaging.render.refusal(ctx, 400, { heading: '400 Bad Request', message: accepted.refusal, provider })
    return
  }
  const { client, redirect_uri } = accepted
  const back = (parameters: Record<string, string | undefined>) =>
    withParameters(redirect_uri, { ...parameters, state: values.get('state') })

  const problem = problemOf(request)
  if (problem !== undefined) {
    redirect(ctx, back({ error: problem.error, error_description: problem.description }))
    return
  }

  const scopes = wordsOf(values.get('scope'))
  const offers_friendship = values.has('bot_prompt')
  messaging.signIn.ask(ctx, {
    provider,
    client,
    redirect_uri,
    shares: sharesOf(scopes),
    // The real provider offers this on the consent screen (normal) or on a screen of its own after it (aggressive).
    ...(offers_friendship ? { option: 'Add its official account as a friend' } : {}),
    allow(name, befriends) {
      const code = newToken('', 15)
      messaging.codes.set(code, {
        client_id: client.client_id,
        name,
        scopes,
        consent: consentOf(messaging, client, memberNamed(name, messaging)),
        redirect_uri,
        nonce: values.get('nonce'),
        code_challenge: values.get('code_challenge'),
        auth_time: values.has('max_age') ? nowSeconds() : undefined,
      })
      const changed = befriends && setFriend(messaging, client, { name, friend: true }).changed
      // Told only when the option was shown: absent does not mean false.
      return back({ code, friendship_status_changed: offers_friendship ? String(changed) : undefined })
    },
    deny: () => back({ error: 'ACCESS_DENIED', error_description: 'The user denied the request.' }),
  })
}

function sharesOf(scopes: readonly string[]): string[] {
  return [
    'Your user id',
    ...(scopes.includes('profile') ? ['Your name, picture and status message'] : []),
    ...(scopes.includes('email') ? ['Your e-mail address'] : []),
  ]
}
