import { createHash } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, importSPKI, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  advanceTime,
  get,
  locationOf,
  openForm,
  post,
  register,
  requireText,
  sendForm,
  signIn,
  startSimulator,
  withQuery,
} from './simulator.ts'

const redirectUri = 'http://localhost:9/callback'
const clientId = 'dj00aiZpPTEyMyZzPWNvbnN1bWVyc2VjcmV0Jng9ZjA-'
const clientSecret = 'secret-with-/-and-%'
const client = { provider: 'portal', client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }

let issuer: string
let simulator: Awaited<ReturnType<typeof startSimulator>>
beforeAll(async () => {
  simulator = await startSimulator()
  issuer = `${simulator.url}/portal/yconnect/v2`
  await Promise.all([
    register(simulator.url, client),
    register(simulator.url, { ...client, client_id: 'other' }),
    register(simulator.url, { ...client, client_id: 'not-approved', userinfo_approved: false }),
  ])
})
afterAll(() => simulator[Symbol.asyncDispose]())

const parameters = {
  response_type: 'code',
  client_id: clientId,
  redirect_uri: redirectUri,
  state: 'a-/b',
  scope: 'openid profile email address',
}
const authorization = (changes: Record<string, string> = {}) =>
  withQuery(`${issuer}/authorization`, { ...parameters, ...changes })

async function codeFor(user: string, changes: Record<string, string> = {}): Promise<string> {
  return requireText((await signIn(authorization(changes), { user })).searchParams.get('code'))
}

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

const exchange = (code: string, changes: Record<string, string> = {}) =>
  post(`${issuer}/token`, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    client_secret: clientSecret,
    ...changes,
  })

async function tokensFor(user: string, changes: Record<string, string> = {}) {
  const { client_id: id = clientId, ...rest } = changes
  const { json } = await exchange(await codeFor(user, { client_id: id, ...rest }), { client_id: id })
  return { ...json, access_token: requireText(json.access_token), refresh_token: requireText(json.refresh_token) }
}

const idTokenFor = async (user: string, changes: Record<string, string> = {}) => {
  const { json } = await exchange(await codeFor(user, changes))
  return { id_token: requireText(json.id_token), access_token: requireText(json.access_token) }
}

const refresh = (refreshToken: string) =>
  post(`${issuer}/token`, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: clientId,
    client_secret: clientSecret,
  })

test('discovery is below the issuer’s path and lists RS256 and both client authentication methods', async () => {
  const { json } = await get(`${issuer}/.well-known/openid-configuration`)
  expect(json).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/authorization`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/attribute`,
    jwks_uri: `${issuer}/jwks`,
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    scopes_supported: ['openid', 'profile', 'email', 'address'],
  })
})

describe('ID Token', () => {
  test('is signed by RS256 with one of several keys, by kid', async () => {
    const { json, headers } = await get(`${issuer}/jwks`)
    expect(headers.get('cache-control')).toBe('max-age=3600')
    expect(json.keys).toEqual(
      Array.from({ length: 2 }, () => expect.objectContaining({ kty: 'RSA', alg: 'RS256', kid: expect.any(String) })),
    )
    const { id_token } = await idTokenFor('hanako')
    const { kid } = decodeProtectedHeader(id_token)
    const checks = { issuer, audience: clientId }
    await jwtVerify(id_token, createRemoteJWKSet(new URL(`${issuer}/jwks`)), checks)
    const { json: byKid } = await get(`${issuer}/public-keys`)
    await jwtVerify(id_token, await importSPKI(requireText(byKid[kid ?? '']), 'RS256'), checks)
  })

  test('contains aud as a list, at_hash, auth_time and the nonce, and only the ID of the user', async () => {
    const { id_token, access_token } = await idTokenFor('Hanako Yamada', { nonce: 'n-1' })
    const claims = decodeJwt(id_token)
    expect(claims).toEqual({
      iss: issuer,
      sub: expect.stringMatching(/^[0-9A-Z]{26}$/),
      aud: [clientId],
      iat: expect.any(Number),
      exp: Number(claims.iat) + 3_600,
      auth_time: expect.any(Number),
      amr: ['pwd'],
      nonce: 'n-1',
      at_hash: createHash('sha256').update(access_token).digest().subarray(0, 16).toString('base64url'),
    })
  })

  test('is issued only with the scope openid', async () => {
    const { json } = await exchange(await codeFor('hanako', { scope: 'profile' }))
    expect(json).toHaveProperty('access_token')
    expect(json).not.toHaveProperty('id_token')
  })
})

describe('authorization', () => {
  test.each([
    ['an unknown client_id', { client_id: 'unknown' }],
    ['an unregistered redirect_uri', { redirect_uri: `${redirectUri}?more=1` }],
  ])('a page and no redirect for %s', async (_, changes) => {
    const response = await fetch(authorization(changes), { redirect: 'manual' })
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({
      status: 400,
      location: null,
    })
  })

  test('consent redirects with only code and state', async () => {
    const { searchParams } = await signIn(authorization(), { user: 'hanako' })
    expect(Object.fromEntries(searchParams)).toEqual({ code: expect.stringMatching(/^[\w-]{24,}$/), state: 'a-/b' })
  })

  test('a request can be sent by POST', async () => {
    const response = await fetch(`${issuer}/authorization`, { method: 'POST', body: new URLSearchParams(parameters) })
    expect(await response.text()).toContain('Sign in with Portal')
  })

  test('denial with bail=1 redirects with the state, and with neither code nor error', async () => {
    const callback = await signIn(authorization({ bail: '1' }), { decision: 'deny' })
    expect(callback.href).toBe(`${redirectUri}?state=a-%2Fb`)
  })

  test.each([{}, { bail: '0' }])('denial with %o redirects to the portal’s top page', async (changes) => {
    const { handle } = await openForm(authorization(changes))
    const location = locationOf(await sendForm(simulator.url, { handle, decision: 'deny' }))
    expect(location.href).toBe(`${simulator.url}/portal/`)
    const page = await fetch(location)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Top page of the portal')
  })

  test.each([
    [{ response_type: '' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ scope: 'openid phone' }, 'invalid_scope'],
    [{ display: 'large' }, 'invalid_request'],
    [{ max_age: 'soon' }, 'invalid_request'],
    [{ prompt: 'always' }, 'invalid_request'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ prompt: 'none' }, 'login_required'],
    [{ code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
  ])('%o redirects with %s and a numeric error_code', async (changes, error) => {
    const callback = locationOf(await fetch(authorization(changes), { redirect: 'manual' }))
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      error,
      error_description: expect.any(String),
      error_code: expect.stringMatching(/^[1-9]\d+$/),
      state: 'a-/b',
    })
  })
})

describe('token endpoint', () => {
  test('returns an access token for an hour, a refresh token and an ID Token', async () => {
    const { json } = await exchange(await codeFor('hanako'))
    expect(json).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.any(String),
      id_token: expect.any(String),
    })
  })

  test('accepts id and secret by Basic without percent-encoding, unlike RFC 6749', async () => {
    const form = async () => ({
      grant_type: 'authorization_code',
      code: await codeFor('hanako'),
      redirect_uri: redirectUri,
    })
    expect((await post(`${issuer}/token`, await form(), basic(clientId, clientSecret))).status).toBe(200)
    const encoded = basic(clientId.replaceAll('-', '%2D'), encodeURIComponent(clientSecret))
    expect(await post(`${issuer}/token`, await form(), encoded)).toMatchObject({
      status: 401,
      json: { error: 'invalid_client' },
    })
  })

  test.each([
    [{ client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ client_id: 'unknown' }, 401, 'invalid_client'],
    [{ client_id: 'other' }, 400, 'invalid_grant'],
    [{ code: 'unknown' }, 400, 'invalid_grant'],
    [{ code: '' }, 400, 'invalid_request'],
    [{ redirect_uri: 'http://localhost:9/other' }, 400, 'invalid_redirect_uri'],
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('%o: %i %s with a numeric error_code', async (changes, status, error) => {
    const response = await exchange(await codeFor('hanako'), changes)
    expect(response).toEqual({
      status,
      json: { error, error_description: expect.any(String), error_code: expect.any(Number) },
    })
  })

  test('a code can be used once', async () => {
    const code = await codeFor('hanako')
    expect((await exchange(code)).status).toBe(200)
    expect((await exchange(code)).json.error).toBe('invalid_grant')
  })

  test('a challenge requires its verifier', async () => {
    const codeVerifier = 'v~.'.repeat(20)
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
    const challenged = () => codeFor('hanako', { code_challenge: codeChallenge, code_challenge_method: 'S256' })
    expect((await exchange(await challenged(), { code_verifier: codeVerifier })).status).toBe(200)
    expect((await exchange(await challenged(), { code_verifier: `${codeVerifier}x` })).status).toBe(400)
    expect((await exchange(await challenged())).status).toBe(400)
  })
})

describe('refresh token', () => {
  test('returns only a new access token, and does not change', async () => {
    const { access_token, refresh_token } = await tokensFor('hanako')
    const { status, json } = await refresh(refresh_token)
    expect({ status, json }).toEqual({
      status: 200,
      json: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 3_600 },
    })
    expect(json.access_token).not.toBe(access_token)
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  test('expires after four weeks', async () => {
    const { refresh_token } = await tokensFor('hanako')
    advanceTime(2_419_200 - 5)
    expect((await refresh(refresh_token)).status).toBe(200)
    advanceTime(10)
    expect((await refresh(refresh_token)).json).toMatchObject({
      error: 'invalid_grant',
      error_code: expect.any(Number),
    })
  })
})

describe('userinfo', () => {
  const userinfo = (token?: string) => get(`${issuer}/attribute`, token)

  test('returns names in Latin script, "" for names that were not entered, a year of birth, and an address', async () => {
    const { access_token } = await tokensFor('Hanako Yamada')
    expect((await userinfo(access_token)).json).toEqual({
      sub: expect.stringMatching(/^[0-9A-Z]{26}$/),
      name: 'Hanako Yamada',
      given_name: 'Hanako',
      'given_name#ja-Kana-JP': '',
      'given_name#ja-Hani-JP': '',
      family_name: 'Yamada',
      'family_name#ja-Kana-JP': '',
      'family_name#ja-Hani-JP': '',
      gender: expect.stringMatching(/^(fe)?male$/),
      birthdate: expect.stringMatching(/^19\d\d$/),
      nickname: 'Hanako Yamada',
      picture: expect.stringContaining(`${simulator.url}/people/`),
      zoneinfo: 'Asia/Tokyo',
      locale: 'ja-JP',
      email: expect.stringMatching(/@portal\.example$/),
      email_verified: true,
      address: expect.objectContaining({
        country: 'jp',
        postal_code: expect.stringMatching(/^\d{7}$/),
        region: expect.any(String),
        locality: expect.any(String),
      }),
    })
  })

  test.each([
    ['山田 太郎', { given_name: '太郎', 'given_name#ja-Hani-JP': '太郎', 'family_name#ja-Hani-JP': '山田' }],
    ['ヤマダ タロウ', { given_name: 'タロウ', 'given_name#ja-Kana-JP': 'タロウ', 'family_name#ja-Kana-JP': 'ヤマダ' }],
    ['太郎', { family_name: '', 'given_name#ja-Hani-JP': '太郎', 'given_name#ja-Kana-JP': '' }],
  ])('returns %s in its own script, family name first', async (name, names) => {
    const { access_token } = await tokensFor(name)
    expect((await userinfo(access_token)).json).toMatchObject({ name, ...names })
  })

  test('returns what the scopes allow', async () => {
    const received = async (scope: string) =>
      Object.keys((await userinfo((await tokensFor('hanako', { scope })).access_token)).json)
    expect(await received('openid')).toEqual(['sub'])
    expect(await received('openid email')).toEqual(['sub', 'email', 'email_verified'])
    expect(await received('openid address')).toEqual(['sub', 'address'])
  })

  test('403 with a challenge for a client that was registered without approval', async () => {
    const { access_token } = await tokensFor('hanako', { client_id: 'not-approved' })
    const { status, headers } = await userinfo(access_token)
    expect(status).toBe(403)
    expect(headers.get('www-authenticate')).toMatch(/^Bearer error="insufficient_scope"/)
  })

  test('401 for an access token in a form body, by POST too', async () => {
    const { access_token } = await tokensFor('hanako')
    expect((await post(`${issuer}/attribute`, { access_token })).status).toBe(401)
    expect((await post(`${issuer}/attribute`, {}, { authorization: `Bearer ${access_token}` })).status).toBe(200)
  })

  test('401 with a challenge an hour later', async () => {
    const { access_token } = await tokensFor('hanako')
    advanceTime(3_595)
    expect((await userinfo(access_token)).status).toBe(200)
    advanceTime(10)
    const { status, headers } = await userinfo(access_token)
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/)
  })
})
