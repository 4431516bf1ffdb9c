import type { Parameters } from '#http'
import type { Client } from '../../clients.ts'
import { wordsOf } from '../../oauth.ts'
import type { Device } from './state.ts'

/** A request that can be put to a person. */
export interface Request {
  readonly client: Client
  readonly redirect_uri: string
  readonly with_id_token: boolean
  readonly response_mode: ResponseMode
  readonly scopes: readonly string[]
}

const response_modes = ['query', 'fragment', 'form_post'] as const
export type ResponseMode = (typeof response_modes)[number]

const known_scopes = new Set(['openid', 'name', 'email'])

/** The request, or why there is none: every such error is a page, and the application does not hear of it. */
export function readRequest({ values, repeated }: Parameters, { clients }: Device): Request | { refusal: string } {
  const [twice] = repeated
  if (twice !== undefined) return { refusal: `invalid_request: ${twice} is given more than once.` }
  const client = clients.find('device', values.get('client_id'))
  if (client === undefined) return { refusal: 'invalid_client: the client_id is not registered here.' }
  const redirect_uri = values.get('redirect_uri')
  // The real provider takes neither http nor an address of this machine, nor an IP address.
  if (redirect_uri === undefined || !client.redirect_uris.includes(redirect_uri)) {
    return {
      refusal: 'invalid_request: the redirect_uri is not registered for this client. It must match to the letter.',
    }
  }

  const types = wordsOf(values.get('response_type'))
  if (!types.includes('code') || types.some((type) => type !== 'code' && type !== 'id_token')) {
    return { refusal: 'invalid_request: response_type must be code, or code id_token.' }
  }
  const with_id_token = types.includes('id_token')
  const scopes = wordsOf(values.get('scope'))
  if (scopes.some((scope) => !known_scopes.has(scope))) {
    return { refusal: 'invalid_scope: scope may hold name and email.' }
  }
  const response_mode = response_modes.find((mode) => mode === (values.get('response_mode') ?? 'query'))
  if (response_mode === undefined) {
    return { refusal: 'invalid_request: response_mode must be query, fragment or form_post.' }
  }
  if (response_mode !== 'form_post' && scopes.some((scope) => scope !== 'openid')) {
    return { refusal: 'invalid_request: response_mode must be form_post when name or email scope is requested.' }
  }
  if (response_mode === 'query' && with_id_token) {
    return { refusal: 'invalid_request: response_mode must be fragment or form_post when an id_token is requested.' }
  }
  return { client, redirect_uri, with_id_token, response_mode, scopes }
}
