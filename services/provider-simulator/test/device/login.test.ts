import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { get } from '../simulator.ts'
import {
  authorization,
  consent,
  formOf,
  issuer,
  redirectUri,
  setSimulator,
  simulator,
  submitDecision,
  tokensFor,
  withSecret,
} from './device.ts'

setSimulator()

test('discovery has neither userinfo nor PKCE', async () => {
  const { json } = await get(`${issuer}/.well-known/openid-configuration`)
  expect(json).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/auth/authorize`,
    token_endpoint: `${issuer}/auth/token`,
    revocation_endpoint: `${issuer}/auth/revoke`,
    jwks_uri: `${issuer}/auth/keys`,
    response_modes_supported: ['query', 'fragment', 'form_post'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  })
  expect(json).not.toHaveProperty('userinfo_endpoint')
  expect(json).not.toHaveProperty('code_challenge_methods_supported')
})

describe('authorization', () => {
  test.each([
    ['an unknown client_id', { client_id: 'unknown' }, 'client_id'],
    ['an unregistered redirect_uri', { redirect_uri: `${redirectUri}?more=1` }, 'redirect_uri'],
    ['name and email requested without form_post', { response_mode: 'query' }, 'response_mode must be form_post'],
    [
      'email requested in the fragment',
      { response_mode: 'fragment', scope: 'email' },
      'response_mode must be form_post',
    ],
    ['an id_token in the query', { response_mode: 'query', scope: '', response_type: 'code id_token' }, 'fragment'],
    ['only an id_token', { response_type: 'id_token' }, 'response_type'],
    ['an unsupported scope', { scope: 'name profile' }, 'scope'],
    ['an unsupported response_mode', { response_mode: 'jwt' }, 'response_mode'],
  ])('a page without a redirect for %s', async (_, changes, named) => {
    const response = await fetch(authorization(changes), { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(named)
  })

  test('consent is posted to the application by a form that submits itself, and has a button', async () => {
    const response = await submitDecision({ user: 'Hanako Yamada' })
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' http: https:; frame-ancestors 'none'; base-uri 'none'; script-src 'self'",
    )
    const html = await response.clone().text()
    expect(html).toContain('<button class="allow">Continue</button>')
    const script = await fetch(new URL(/<script src="([^"]+)"/.exec(html)?.[1] ?? '', simulator.url))
    expect(script.headers.get('content-type')).toMatch('text/javascript')
    const { action, fields } = await formOf(response)
    expect(action).toBe(redirectUri)
    expect({ ...fields, user: JSON.parse(fields.user ?? '') }).toEqual({
      state: 'a-/b',
      code: expect.any(String),
      user: {
        name: { firstName: 'Hanako', lastName: 'Yamada' },
        email: expect.stringMatching(/^hanako\.yamada\.\w+@device\.example$/),
      },
    })
  })

  test('user is sent once, and again after the consent was revoked', async () => {
    expect(await consent('Only Once')).toHaveProperty('user')
    expect(await consent('Only Once')).not.toHaveProperty('user')
    const { refresh_token } = await tokensFor('Only Once')
    await withSecret('/auth/revoke', { token: refresh_token })
    expect(await consent('Only Once')).toHaveProperty('user')
  })

  test.each([
    ['name', ['name']],
    ['email', ['email']],
  ])('user contains what was requested: %s', async (scope, names) => {
    const { user = '' } = await consent(`Asked for ${scope}`, { scope })
    expect(Object.keys(JSON.parse(user))).toEqual(names)
  })

  test('canceling returns user_cancelled_authorize and only the state', async () => {
    const { fields } = await formOf(await submitDecision({ decision: 'deny' }))
    expect(fields).toEqual({ state: 'a-/b', error: 'user_cancelled_authorize' })
  })

  test('without scopes the response can be in the query or fragment, without user', async () => {
    const where = async (changes: Record<string, string>) => {
      const response = await submitDecision({ user: 'hanako' }, { scope: '', ...changes })
      return new URL(response.headers.get('location') ?? '')
    }
    expect([...(await where({ response_mode: 'query' })).searchParams.keys()]).toEqual(['state', 'code'])
    const { hash, search } = await where({ response_mode: 'fragment', response_type: 'code id_token' })
    expect(search).toBe('')
    const returned = new URLSearchParams(hash.slice(1))
    expect([...returned.keys()]).toEqual(['state', 'code', 'id_token'])
    const cHash = createHash('sha256')
      .update(returned.get('code') ?? '')
      .digest()
      .subarray(0, 16)
    expect(decodeJwt(returned.get('id_token') ?? '')).toMatchObject({
      c_hash: cHash.toString('base64url'),
      nonce: 'n-1',
    })
  })
})
