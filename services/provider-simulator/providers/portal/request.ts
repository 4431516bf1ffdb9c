import type { Parameters } from '#http'
import type { Client } from '../../clients.ts'
import { type Problem, wordsOf } from '../../oauth.ts'
import type { Portal } from './state.ts'

/** The client and callback address, or why the browser must not be sent there. */
export function acceptCallback(
  { values }: Parameters,
  { clients }: Portal,
): { client: Client; redirect_uri: string } | { refusal: string } {
  const client = clients.find('portal', values.get('client_id'))
  if (client === undefined) return { refusal: 'The client_id is not known. Check that it is registered here.' }
  const redirect_uri = values.get('redirect_uri')
  if (redirect_uri === undefined || !client.redirect_uris.includes(redirect_uri)) {
    return { refusal: 'The redirect_uri is not registered for this client. It must match to the letter.' }
  }
  return { client, redirect_uri }
}

export const known_scopes: readonly string[] = ['openid', 'profile', 'email', 'address']
const known_prompts = new Set(['none', 'login', 'consent', 'select_account'])
const known_displays = new Set(['page', 'popup', 'touch', 'inapp'])

/** The first thing wrong with a request whose callback address is right. */
export function problemOf({ values, repeated }: Parameters): Problem | undefined {
  const invalid = (name: string) => ({ error: 'invalid_request', description: `${name} is invalid.` })
  const [twice] = repeated
  if (twice !== undefined) return { error: 'invalid_request', description: `${twice} is given more than once.` }
  for (const name of ['response_type', 'scope']) {
    if (!values.has(name)) return { error: 'invalid_request', description: `${name} is missing.` }
  }
  if (values.get('response_type') !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code.' }
  }
  if (wordsOf(values.get('scope')).some((scope) => !known_scopes.includes(scope))) {
    return { error: 'invalid_scope', description: 'scope holds an unknown value.' }
  }
  if (!known_displays.has(values.get('display') ?? 'page')) return invalid('display')
  if (!/^\d{1,9}$/.test(values.get('max_age') ?? '0')) return invalid('max_age')

  const challenge = values.get('code_challenge')
  const method = values.get('code_challenge_method')
  // Whether the real provider takes `plain` is not documented.
  if ((challenge === undefined) !== (method === undefined)) return invalid('code_challenge_method')
  if (method !== undefined && method !== 'S256') return invalid('code_challenge_method')
  if (challenge !== undefined && !/^[\w-]{43}$/.test(challenge)) return invalid('code_challenge')

  const prompts = wordsOf(values.get('prompt'))
  if (prompts.some((prompt) => !known_prompts.has(prompt))) return invalid('prompt')
  if (prompts.includes('none') && prompts.length > 1) return invalid('prompt')
  // Nobody is ever signed in already.
  if (prompts.includes('none')) return { error: 'login_required', description: 'The user is not signed in.' }
  return undefined
}
