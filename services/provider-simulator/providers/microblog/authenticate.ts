import { type Context, readParameters } from '#http'
import { newToken } from '#runtime'
import { withParameters } from '../../redirect.ts'
import type { Microblog } from './state.ts'

export const provider = { name: 'microblog', title: 'Microblog' }

/**
 * `GET /oauth/authenticate` and `/oauth/authorize`, which are one here: nobody is ever signed in already. The callback is
 * the request token's; who has none that can still be used sees a page.
 */
export function authenticate(ctx: Context, microblog: Microblog): void {
  const { request_tokens, clients, signIn, render } = microblog
  const oauth_token = readParameters(ctx.querystring).values.get('oauth_token')
  const request = request_tokens.get(oauth_token)
  const client = clients.find('microblog', request?.client_id)
  if (oauth_token === undefined || request === undefined || client === undefined || request.agreed) {
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
      request_tokens.set(oauth_token, { ...request, agreed: { name, verifier } })
      return withParameters(callback, { oauth_token, oauth_verifier: verifier })
    },
    deny() {
      request_tokens.take(oauth_token)
      return withParameters(callback, { denied: oauth_token })
    },
  })
}
