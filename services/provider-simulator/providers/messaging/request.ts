import type { Parameters } from '#http'
import type { Client } from '../../clients.ts'
import { type Problem, wordsOf } from '../../oauth.ts'
import type { Messaging } from './state.ts'

/** The client and callback address, or why the browser must not be sent there. */
export function acceptCallback(
  { values }: Parameters,
  { clients }: Messaging,
): { client: Client; redirect_uri: string } | { refusal: string } {
  const client = clients.find('messaging', values.get('client_id'))
  if (client === undefined) return { refusal: 'Invalid client_id value. Check that the channel is registered here.' }
  const redirect_uri = values.get('redirect_uri')
  if (redirect_uri === undefined || !isRegistered(redirect_uri, client)) {
    return { refusal: 'Invalid redirect_uri value. Check that it is registered for this channel.' }
  }
  if (values.has('bot_prompt') && !client.official_account) {
    return { refusal: 'bot_prompt needs an official account, and none is linked to this channel.' }
  }
  return { client, redirect_uri }
}

/** A registered address, or one with further parameters behind its query. */
function isRegistered(redirect_uri: string, client: Client): boolean {
  if (redirect_uri.includes('#')) return false
  return client.redirect_uris.some(
    (registered) =>
      redirect_uri === registered || redirect_uri.startsWith(`${registered}${registered.includes('?') ? '&' : '?'}`),
  )
}

const known = {
  scopes: new Set(['openid', 'profile', 'email']),
  prompts: new Set(['consent', 'none', 'login']),
  bot_prompts: new Set(['normal', 'aggressive']),
} as const

/** The first thing wrong with a request whose callback address is right. */
export function problemOf({ values, repeated }: Parameters): Problem | undefined {
  const invalid = (name: string) => ({ error: 'INVALID_REQUEST', description: `${name} is invalid.` })
  const [twice] = repeated
  if (twice !== undefined) return { error: 'INVALID_REQUEST', description: `${twice} is given more than once.` }
  for (const name of ['response_type', 'state', 'scope']) {
    if (!values.has(name)) return { error: 'INVALID_REQUEST', description: `${name} is required.` }
  }
  if (values.get('response_type') !== 'code') {
    return { error: 'UNSUPPORTED_RESPONSE_TYPE', description: 'response_type must be code.' }
  }
  const scope_problem = problemOfScope(wordsOf(values.get('scope')))
  if (scope_problem !== undefined) return { error: 'INVALID_SCOPE', description: scope_problem }

  const challenge = values.get('code_challenge')
  const method = values.get('code_challenge_method')
  if ((challenge ?? method) !== undefined && method !== 'S256') return invalid('code_challenge_method')
  if (method !== undefined && !/^[\w-]{43}$/.test(challenge ?? '')) return invalid('code_challenge')
  if (!/^\d*$/.test(values.get('max_age') ?? '')) return invalid('max_age')
  if (!known.bot_prompts.has(values.get('bot_prompt') ?? 'normal')) return invalid('bot_prompt')
  if ((values.get('response_mode') ?? 'query') !== 'query') return invalid('response_mode')
  if (!known.prompts.has(values.get('prompt') ?? 'consent')) return invalid('prompt')
  // Nobody is ever signed in already.
  if (values.get('prompt') === 'none') return { error: 'LOGIN_REQUIRED', description: 'The user is not signed in.' }
  return undefined
}

function problemOfScope(scopes: readonly string[]): string | undefined {
  if (scopes.some((scope) => !known.scopes.has(scope))) return 'scope holds an unknown value.'
  if (!scopes.includes('openid') && !scopes.includes('profile')) return 'scope must hold profile or openid.'
  if (scopes.includes('email') && !scopes.includes('openid')) return 'email needs openid.'
  return undefined
}
