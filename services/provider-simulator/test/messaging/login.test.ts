import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { get, locationOf, requireText, signIn } from '../simulator.ts'
import {
  approved,
  authorization,
  claimsFor,
  client_id,
  client_secret,
  codeFor,
  exchange,
  issuer,
  redirectUri,
  setSimulator,
  tokenEndpoint,
  tokensFor,
  withoutAccount,
} from './messaging.ts'

setSimulator()

describe('discovery', () => {
  test('lists only ES256, although no web login is signed with it', async () => {
    const { json } = await get(`${issuer}/.well-known/openid-configuration`)
    expect(json).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oauth2/v2.1/authorize`,
      token_endpoint: tokenEndpoint,
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
    })
    const { json: certs } = await get(requireText(json.jwks_uri))
    expect(certs).toEqual({ keys: [expect.objectContaining({ kty: 'EC', alg: 'ES256' })] })
  })
})

describe('ID Token', () => {
  test('is HS256 with the text of the client secret, and has only typ and alg in its header', async () => {
    const { json } = await exchange(await codeFor('Hanako Yamada', { nonce: 'n-1' }))
    const idToken = requireText(json.id_token)
    expect(decodeProtectedHeader(idToken)).toEqual({ typ: 'JWT', alg: 'HS256' })
    const { payload } = await jwtVerify(idToken, new TextEncoder().encode(client_secret), {
      issuer,
      audience: client_id,
      algorithms: ['HS256'],
    })
    expect(payload).toEqual({
      iss: issuer,
      sub: expect.stringMatching(/^U[0-9a-f]{32}$/),
      aud: client_id,
      iat: expect.any(Number),
      exp: Number(payload.iat) + 3_600,
      nonce: 'n-1',
      amr: ['pwd'],
      name: 'Hanako Yamada',
      picture: expect.stringMatching(/^http.*\/people\/[0-9a-f]{24}\.svg$/),
      email: expect.stringMatching(/^hanako\.yamada\.[0-9a-f]{6}@messaging\.example$/),
    })
  })

  test('contains auth_time only if max_age was sent', async () => {
    expect(await claimsFor('taro')).not.toHaveProperty('auth_time')
    expect(await claimsFor('taro', { max_age: '60' })).toMatchObject({ auth_time: expect.any(Number) })
  })

  test('contains name and picture only with profile, email only with email, and never email_verified', async () => {
    const claims = await claimsFor('taro', { scope: 'openid' })
    for (const claim of ['name', 'picture', 'email']) expect(claims).not.toHaveProperty(claim)
    expect(await claimsFor('taro')).not.toHaveProperty('email_verified')
    expect(await claimsFor('taro')).toMatchObject({ email: 'taro@messaging.example' })
  })

  test('contains the claims of LINE Profile+ that were requested, and only if the channel is approved', async () => {
    const changes = { client_id: approved.client_id, scope: 'openid real_name phone' }
    const { json } = await exchange(await codeFor('山田 花子', changes), { client_id: approved.client_id })
    expect(decodeJwt(requireText(json.id_token))).toMatchObject({
      family_name: '山田',
      family_name_pronunciation: expect.stringMatching(/^[ァ-ヶー]+$/),
      given_name: '花子',
      given_name_pronunciation: expect.stringMatching(/^[ァ-ヶー]+$/),
      phone_number: expect.stringMatching(/^\+8190\d{8}$/),
    })
    expect(json.scope).toBe('openid real_name phone')
    for (const claim of ['gender', 'birthdate', 'address'])
      expect(decodeJwt(requireText(json.id_token))).not.toHaveProperty(claim)
    const rejected = { client_id: approved.client_id, scope: 'openid gender' }
    const callback = locationOf(await fetch(authorization(rejected), { redirect: 'manual' }))
    expect(callback.searchParams.get('error')).toBe('INVALID_SCOPE')
  })

  test('is absent without the scope openid', async () => {
    expect(await tokensFor('taro', { scope: 'profile' })).not.toHaveProperty('id_token')
  })

  test('has the same sub for the same name, and another for another name', async () => {
    const [first, again, other] = await Promise.all([claimsFor('taro'), claimsFor(' taro '), claimsFor('jiro')])
    expect(again.sub).toBe(first.sub)
    expect(other.sub).not.toBe(first.sub)
  })
})

describe('authorization', () => {
  test.each([
    ['an unknown client_id', { client_id: 'unknown' }],
    ['an unregistered redirect_uri', { redirect_uri: 'http://localhost:9/callback' }],
    ['a redirect_uri with a fragment', { redirect_uri: `${redirectUri}&a#b` }],
    ['bot_prompt without an official account', { client_id: withoutAccount.client_id, bot_prompt: 'normal' }],
  ])('400 page and no redirect for %s', async (_, changes) => {
    const response = await fetch(authorization(changes), { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toMatch('text/html')
    expect(response.headers.get('location')).toBeNull()
  })

  test.each([
    [{ response_type: 'token' }, 'UNSUPPORTED_RESPONSE_TYPE'],
    [{ response_type: '' }, 'INVALID_REQUEST'],
    [{ scope: '' }, 'INVALID_REQUEST'],
    [{ scope: 'email' }, 'INVALID_SCOPE'],
    [{ scope: 'profile email' }, 'INVALID_SCOPE'],
    [{ scope: 'openid phone' }, 'INVALID_SCOPE'],
    [{ code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }, 'INVALID_REQUEST'],
    [{ code_challenge: 'a'.repeat(43) }, 'INVALID_REQUEST'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'INVALID_REQUEST'],
    [{ prompt: 'select_account' }, 'INVALID_REQUEST'],
    [{ prompt: 'none' }, 'LOGIN_REQUIRED'],
    [{ max_age: 'soon' }, 'INVALID_REQUEST'],
    [{ bot_prompt: 'loud' }, 'INVALID_REQUEST'],
    [{ response_mode: 'fragment' }, 'INVALID_REQUEST'],
  ])('%o redirects with the upper-case error %s, a description and the state', async (changes, error) => {
    const callback = locationOf(await fetch(authorization(changes), { redirect: 'manual' }))
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      site: '1',
      error,
      error_description: expect.any(String),
      state: 'abc123',
    })
  })

  test('a missing state redirects with INVALID_REQUEST without one', async () => {
    const callback = locationOf(await fetch(authorization({ state: '' }), { redirect: 'manual' }))
    expect(callback.searchParams.get('error')).toBe('INVALID_REQUEST')
    expect(callback.searchParams.has('state')).toBe(false)
  })

  test('a repeated parameter redirects with INVALID_REQUEST', async () => {
    const callback = locationOf(await fetch(`${authorization()}&nonce=a&nonce=b`, { redirect: 'manual' }))
    expect(callback.searchParams.get('error')).toBe('INVALID_REQUEST')
  })

  test('consent appends code and state to the query of the registered redirect_uri', async () => {
    const callback = await signIn(authorization(), { user: 'taro' })
    expect(callback.href).toMatch(/^http:\/\/localhost:9\/callback\?site=1&code=[\w-]+&state=abc123$/)
  })

  test('denial redirects with ACCESS_DENIED, a description and the state', async () => {
    const callback = await signIn(authorization(), { decision: 'deny' })
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      site: '1',
      error: 'ACCESS_DENIED',
      error_description: expect.any(String),
      state: 'abc123',
    })
  })

  test('additional query parameters of a registered redirect_uri are allowed and returned', async () => {
    const longer = `${redirectUri}&more=2`
    const callback = await signIn(authorization({ redirect_uri: longer }), { user: 'taro' })
    expect(callback.searchParams.get('more')).toBe('2')
    const { status } = await exchange(requireText(callback.searchParams.get('code')), { redirect_uri: longer })
    expect(status).toBe(200)
  })
})
