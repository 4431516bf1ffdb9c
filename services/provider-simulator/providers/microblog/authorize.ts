import { type Context, type Parameters, readParameters } from '#http'
import { newToken } from '#runtime'
import type { Client } from '../../clients.ts'
import { wordsOf } from '../../oauth.ts'
import { withParameters } from '../../redirect.ts'
import { provider } from './authenticate.ts'
import type { Code, Microblog } from './state.ts'

/**
 * `GET /i/oauth2/authorize` of OAuth 2.0. Whatever is wrong with the request gives a page: which of it the real provider
 * would send back to the application is not documented.
 */
export function authorize(ctx: Context, microblog: Microblog): void {
  const request = readParameters(ctx.querystring)
  const { values } = request
  const accepted = accept(request, microblog)
  if ('refusal' in accepted) {
    const heading = 'Something went wrong'
    microblog.render.refusal(ctx, 400, { heading, message: accepted.refusal, provider })
    return
  }
  const { client, redirect_uri, challenge, scopes } = accepted
  const state = values.get('state')
  microblog.signIn.ask(ctx, {
    provider,
    client,
    redirect_uri,
    shares: sharesOf(scopes),
    allow(name) {
      const code = newToken('', 60)
      microblog.codes.set(code, { client_id: client.client_id, name, scopes, redirect_uri, challenge })
      return withParameters(redirect_uri, { state, code })
    },
    deny: () => withParameters(redirect_uri, { error: 'access_denied', state }),
  })
}

interface Accepted extends Pick<Code, 'redirect_uri' | 'challenge' | 'scopes'> {
  readonly client: Client
}

const known_scopes: ReadonlySet<string> = new Set(['users.read', 'tweet.read', 'users.email', 'offline.access'])

function accept({ values, repeated }: Parameters, { clients }: Microblog): Accepted | { refusal: string } {
  const [twice] = repeated
  if (twice !== undefined) return { refusal: `${twice} is given more than once.` }
  const client = clients.find('microblog', values.get('client_id'))
  if (client === undefined) return { refusal: 'The client_id is not known. Check that it is registered here.' }
  const redirect_uri = values.get('redirect_uri')
  if (redirect_uri === undefined || !client.redirect_uris.includes(redirect_uri)) {
    return { refusal: 'The redirect_uri is not registered for this client. It must match to the letter.' }
  }
  if (values.get('response_type') !== 'code') return { refusal: 'response_type must be code.' }
  const scopes = wordsOf(values.get('scope'))
  if (scopes.length === 0 || scopes.some((scope) => !known_scopes.has(scope))) return { refusal: 'scope is invalid.' }
  const state = values.get('state') ?? ''
  if (state === '' || state.length > 500) return { refusal: 'state must be given, of at most 500 characters.' }
  const challenge = readChallenge(values)
  if (challenge === undefined)
    return { refusal: 'PKCE is mandatory: code_challenge or its method is missing or wrong.' }
  return { client, redirect_uri, challenge, scopes }
}

function readChallenge(values: ReadonlyMap<string, string>): Code['challenge'] | undefined {
  const text = values.get('code_challenge')
  const method = values.get('code_challenge_method') ?? 'plain'
  if (text === undefined || !/^[\w.~-]{43,128}$/.test(text)) return undefined
  return method === 'plain' || method === 'S256' ? { text, method } : undefined
}

function sharesOf(scopes: readonly string[]): string[] {
  return [
    'Your account id, name and public profile, and how many follow you',
    ...(scopes.includes('users.email') ? ['Your e-mail address'] : []),
    ...(scopes.includes('offline.access') ? ['All this also while you are away'] : []),
  ]
}
