import { createHash } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  advanceTime,
  get,
  locationOf,
  post,
  register,
  requireText,
  signIn,
  startSimulator,
  withQuery,
} from './simulator.ts'

const client = {
  provider: 'search',
  client_id: '123-abc.apps.example.com',
  client_secret: 'secret-with-/-and-%',
  redirect_uris: ['http://localhost:9/callback'],
}
const { client_id, client_secret } = client
const redirectUri = 'http://localhost:9/callback'

let issuer: string
let simulator: Awaited<ReturnType<typeof startSimulator>>
beforeAll(async () => {
  simulator = await startSimulator()
  issuer = `${simulator.url}/search`
  await Promise.all([
    register(simulator.url, client),
    register(simulator.url, { ...client, client_id: 'other', client_secret }),
  ])
})
afterAll(() => simulator[Symbol.asyncDispose]())

function authorization(changes: Record<string, string> = {}): string {
  return withQuery(`${issuer}/o/oauth2/v2/auth`, {
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    state: 'a-/b',
    scope: 'openid email profile',
    ...changes,
  })
}

async function codeFor(user: string, changes: Record<string, string> = {}): Promise<string> {
  return requireText((await signIn(authorization(changes), { user })).searchParams.get('code'))
}

function exchange(code: string, changes: Record<string, string> = {}) {
  return post(`${issuer}/token`, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id,
    client_secret,
    ...changes,
  })
}

async function tokensFor(user: string, changes: Record<string, string> = {}) {
  const { json } = await exchange(await codeFor(user, changes))
  return { ...json, access_token: requireText(json.access_token), id_token: requireText(json.id_token) }
}

const refresh = (refreshToken: string) =>
  post(`${issuer}/token`, { grant_type: 'refresh_token', refresh_token: refreshToken, client_id, client_secret })

test('discovery lists iss in redirects, RS256, both PKCE methods and both client authentication methods', async () => {
  const { json } = await get(`${issuer}/.well-known/openid-configuration`)
  expect(json).toMatchObject({
    issuer,
    authorization_response_iss_parameter_supported: true,
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['plain', 'S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
  })
})

describe('ID Token', () => {
  test('is RS256 under one of several keys, named by kid', async () => {
    const { json } = await get(`${issuer}/oauth2/v3/certs`)
    expect(json.keys).toEqual(
      Array.from({ length: 2 }, () => expect.objectContaining({ kty: 'RSA', alg: 'RS256', use: 'sig' })),
    )
    const { id_token } = await tokensFor('hanako')
    expect(decodeProtectedHeader(id_token)).toMatchObject({
      alg: 'RS256',
      kid: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/v3/certs`))
    await jwtVerify(id_token, keys, { issuer, audience: client_id })
  })

  test('contains aud as text, azp, boolean email_verified, at_hash and the nonce', async () => {
    const { id_token, access_token } = await tokensFor('Hanako Yamada', { nonce: 'n-1' })
    const claims = decodeJwt(id_token)
    expect(claims).toEqual({
      iss: issuer,
      azp: client_id,
      aud: client_id,
      sub: expect.stringMatching(/^[1-9]\d{20}$/),
      email: expect.stringMatching(/^hanako\.yamada\.[0-9a-f]{6}@search\.example$/),
      email_verified: true,
      at_hash: createHash('sha256').update(access_token).digest().subarray(0, 16).toString('base64url'),
      nonce: 'n-1',
      name: 'Hanako Yamada',
      given_name: 'Hanako',
      family_name: 'Yamada',
      picture: expect.any(String),
      iat: expect.any(Number),
      exp: Number(claims.iat) + 3_600,
    })
  })

  test('has no family_name for a name of one word', async () => {
    expect(decodeJwt((await tokensFor('hanako')).id_token)).not.toHaveProperty('family_name')
  })

  test('contains the claims that the scopes allow', async () => {
    const email = decodeJwt((await tokensFor('hanako', { scope: 'openid email' })).id_token)
    expect(email).toHaveProperty('email')
    expect(email).not.toHaveProperty('name')
    const profile = decodeJwt((await tokensFor('hanako', { scope: 'openid profile' })).id_token)
    expect(profile).toHaveProperty('name')
    expect(profile).not.toHaveProperty('email')
  })
})

describe('authorization', () => {
  test.each([
    ['an unknown client_id', { client_id: 'unknown' }, 401],
    ['an unregistered redirect_uri', { redirect_uri: `${redirectUri}?more=1` }, 400],
  ])('a page and no redirect for %s', async (_, changes, status) => {
    const response = await fetch(authorization(changes), { redirect: 'manual' })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toMatch('text/html')
    expect(response.headers.get('location')).toBeNull()
  })

  test('consent redirects with iss, code, state, scope, authuser and prompt', async () => {
    const callback = await signIn(authorization(), { user: 'callback parameters' })
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      iss: issuer,
      code: expect.stringMatching(/^4\/0A/),
      state: 'a-/b',
      scope:
        'email profile openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile',
      authuser: '0',
      prompt: 'consent',
    })
    const again = await signIn(authorization(), { user: 'callback parameters' })
    expect(again.searchParams.get('prompt')).toBe('none')
  })

  test('denial redirects with access_denied, state and iss', async () => {
    const callback = await signIn(authorization(), { decision: 'deny' })
    expect(Object.fromEntries(callback.searchParams)).toEqual({ error: 'access_denied', state: 'a-/b', iss: issuer })
  })

  test.each([
    [{ response_type: '' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ scope: 'openid' }, 'invalid_scope'],
    [{ scope: 'email' }, 'invalid_scope'],
    [{ scope: 'openid email phone' }, 'invalid_scope'],
    [{ access_type: 'always' }, 'invalid_request'],
    [{ prompt: 'login' }, 'invalid_request'],
    [{ prompt: 'none consent' }, 'invalid_request'],
    [{ prompt: 'none' }, 'login_required'],
    [{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S512' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
  ])('%o redirects with %s, state and iss', async (changes, error) => {
    const callback = locationOf(await fetch(authorization(changes), { redirect: 'manual' }))
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      error,
      error_description: expect.any(String),
      state: 'a-/b',
      iss: issuer,
    })
  })
})

describe('token endpoint', () => {
  test('returns an access token for about an hour, long scopes, and no refresh token by default', async () => {
    expect(await tokensFor('hanako')).toEqual({
      access_token: expect.any(String),
      expires_in: 3_599,
      id_token: expect.any(String),
      scope: 'openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile',
      token_type: 'Bearer',
    })
  })

  test('accepts the client by Basic authentication, form-encoded, and by form fields', async () => {
    const credentials = `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
    const fields = { grant_type: 'authorization_code', code: await codeFor('hanako'), redirect_uri: redirectUri }
    expect((await post(`${issuer}/token`, fields, { authorization })).status).toBe(200)
  })

  test('401 for a Basic header that is not form-encoded, also when the form contains the credentials', async () => {
    const headers = { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` }
    const form = { grant_type: 'authorization_code', code: await codeFor('hanako'), redirect_uri: redirectUri }
    const response = await post(`${issuer}/token`, { ...form, client_id, client_secret }, headers)
    expect(response).toMatchObject({ status: 401, json: { error: 'invalid_client' } })
  })

  test.each([{ client_secret: 'wrong' }, { client_secret: '' }, { client_id: 'unknown' }])(
    '401 invalid_client for %o',
    async (changes) => {
      const { status, json } = await exchange(await codeFor('hanako'), changes)
      expect({ status, json }).toEqual({
        status: 401,
        json: { error: 'invalid_client', error_description: expect.any(String) },
      })
    },
  )

  test.each([
    [{ code: 'unknown' }, 'invalid_grant'],
    [{ client_id: 'other' }, 'invalid_grant'],
    [{ redirect_uri: 'http://localhost:9/other' }, 'redirect_uri_mismatch'],
    [{ code: '' }, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
  ])('400 for %o: %s', async (changes, error) => {
    const { status, json } = await exchange(await codeFor('hanako'), changes)
    expect({ status, error: json.error }).toEqual({ status: 400, error })
  })

  test('a code can be used once', async () => {
    const code = await codeFor('hanako')
    expect((await exchange(code)).status).toBe(200)
    expect((await exchange(code)).json.error).toBe('invalid_grant')
  })

  test.each([
    ['S256', (verifier: string) => createHash('sha256').update(verifier).digest('base64url')],
    ['plain', (verifier: string) => verifier],
    ['', (verifier: string) => verifier],
  ])('a challenge of method "%s" requires its verifier', async (codeChallengeMethod, challengeOf) => {
    const codeVerifier = 'v~.'.repeat(20)
    const challenged = () =>
      codeFor('hanako', { code_challenge: challengeOf(codeVerifier), code_challenge_method: codeChallengeMethod })
    expect((await exchange(await challenged(), { code_verifier: codeVerifier })).status).toBe(200)
    expect((await exchange(await challenged(), { code_verifier: `${codeVerifier}x` })).status).toBe(400)
    expect((await exchange(await challenged())).status).toBe(400)
  })
})

describe('refresh token', () => {
  test('is issued at the first offline consent, and again only with prompt=consent', async () => {
    const offline = { access_type: 'offline' }
    expect(await tokensFor('offline', {})).not.toHaveProperty('refresh_token')
    expect(await tokensFor('offline', { prompt: 'consent' })).not.toHaveProperty('refresh_token')
    expect(await tokensFor('offline', offline)).toHaveProperty('refresh_token')
    expect(await tokensFor('offline', offline)).not.toHaveProperty('refresh_token')
    expect(await tokensFor('offline', { ...offline, prompt: 'consent' })).toHaveProperty('refresh_token')
  })

  test('returns a new access token and an ID Token without nonce, and no refresh token', async () => {
    const { json } = await exchange(await codeFor('refresher', { access_type: 'offline', nonce: 'n-1' }))
    const response = await refresh(requireText(json.refresh_token))
    expect(response.status).toBe(200)
    expect(response.json).not.toHaveProperty('refresh_token')
    expect(response.json.access_token).not.toBe(json.access_token)
    const claims = decodeJwt(requireText(response.json.id_token))
    expect(claims.sub).toBe(decodeJwt(requireText(json.id_token)).sub)
    expect(claims).not.toHaveProperty('nonce')
  })
})

describe('userinfo', () => {
  const userinfo = (token: string) => get(`${issuer}/v1/userinfo`, token)

  test('returns the same claims as the ID Token', async () => {
    const { access_token, id_token } = await tokensFor('Hanako Yamada')
    const { json } = await userinfo(access_token)
    expect(decodeJwt(id_token)).toMatchObject(json)
    expect(json).toMatchObject({ sub: expect.any(String), name: 'Hanako Yamada', email_verified: true })
  })

  test('401 with a challenge an hour later', async () => {
    const { access_token } = await tokensFor('hanako')
    advanceTime(3_590)
    expect((await userinfo(access_token)).status).toBe(200)
    advanceTime(15)
    const { status, headers } = await userinfo(access_token)
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/)
  })
})

describe('revoke', () => {
  const revoke = (token: string) => post(`${issuer}/revoke`, { token })

  test.each(['access_token', 'refresh_token'])('of the %s revokes every token and the consent', async (kind) => {
    const user = `revoked by ${kind}`
    const { json } = await exchange(await codeFor(user, { access_type: 'offline' }))
    expect((await revoke(requireText(json[kind]))).status).toBe(200)
    expect((await get(`${issuer}/v1/userinfo`, requireText(json.access_token))).status).toBe(401)
    expect(await refresh(requireText(json.refresh_token))).toMatchObject({
      status: 400,
      json: { error: 'invalid_grant' },
    })
    expect(await tokensFor(user, { access_type: 'offline' })).toHaveProperty('refresh_token')
  })

  test('does not affect other users', async () => {
    const [one, other] = [await tokensFor('one'), await tokensFor('other')]
    await revoke(one.access_token)
    expect((await get(`${issuer}/v1/userinfo`, other.access_token)).status).toBe(200)
  })

  test('200 for an unknown token', async () => {
    expect((await revoke('unknown')).status).toBe(200)
  })
})
