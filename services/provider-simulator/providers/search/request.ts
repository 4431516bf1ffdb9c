import type { Parameters } from '#http'
import type { Client } from '../../clients.ts'
import { type Problem, wordsOf } from '../../oauth.ts'
import { known_scopes, shortForm } from './scopes.ts'
import type { Search } from './state.ts'

/** The client and callback address, or why the browser must not be sent there. */
export function acceptCallback(
  { values }: Parameters,
  { clients }: Search,
): { client: Client; redirect_uri: string } | { status: number; error: string; refusal: string } {
  const client = clients.find('search', values.get('client_id'))
  if (client === undefined) {
    return {
      status: 401,
      error: 'invalid_client',
      refusal: 'The OAuth client was not found. Check that it is registered here.',
    }
  }
  const redirect_uri = values.get('redirect_uri')
  if (redirect_uri === undefined || !client.redirect_uris.includes(redirect_uri)) {
    const refusal = 'The redirect_uri is not registered for this client. It must match to the letter.'
    return { status: 400, error: 'redirect_uri_mismatch', refusal }
  }
  return { client, redirect_uri }
}

/** The scopes asked for, in their short forms. */
export function scopesOf({ values }: Parameters): readonly string[] {
  return [...new Set(wordsOf(values.get('scope')).map(shortForm))]
}

const known_prompts = new Set(['none', 'consent', 'select_account'])

/** The first thing wrong with a request whose callback address is right. */
export function problemOf(request: Parameters): Problem | undefined {
  const { values, repeated } = request
  const invalid = (name: string) => ({
    error: 'invalid_request',
    description: `Invalid parameter value for ${name}.`,
  })
  const [twice] = repeated
  if (twice !== undefined) return { error: 'invalid_request', description: `Parameter given more than once: ${twice}.` }
  for (const name of ['response_type', 'scope']) {
    if (!values.has(name)) return { error: 'invalid_request', description: `Missing required parameter: ${name}.` }
  }
  if (values.get('response_type') !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code.' }
  }

  const scopes = scopesOf(request)
  if (scopes.some((scope) => !known_scopes.has(scope))) {
    return { error: 'invalid_scope', description: 'scope holds an unknown value.' }
  }
  if (!scopes.includes('openid') || scopes.length < 2) {
    return { error: 'invalid_scope', description: 'scope must hold openid and email or profile.' }
  }
  if (!['online', 'offline'].includes(values.get('access_type') ?? 'online')) return invalid('access_type')

  const challenge = values.get('code_challenge')
  if (!['plain', 'S256'].includes(values.get('code_challenge_method') ?? 'plain')) {
    return invalid('code_challenge_method')
  }
  if (challenge !== undefined && !/^[\w.~-]{43,128}$/.test(challenge)) return invalid('code_challenge')

  const prompts = wordsOf(values.get('prompt'))
  if (prompts.some((prompt) => !known_prompts.has(prompt))) return invalid('prompt')
  if (prompts.includes('none') && prompts.length > 1) return invalid('prompt')
  // Nobody is ever signed in already.
  if (prompts.includes('none')) return { error: 'login_required', description: 'The user is not signed in.' }
  return undefined
}
