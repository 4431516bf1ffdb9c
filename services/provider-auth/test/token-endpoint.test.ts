import { createHash } from 'node:crypto'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { newIdentifier } from '#runtime'
import { basic, createLoginsFixture, redirectUri, type TestClient } from './logins.ts'

const logins = createLoginsFixture()
let client: TestClient
beforeAll(async () => {
  client = await logins.registerClient()
})

async function verify(idToken: string, audience: string) {
  const keys = createRemoteJWKSet(new URL(`${logins.auth}/oauth2/jwks`))
  return (await jwtVerify(idToken, keys, { issuer: logins.auth, audience, clockTolerance: 1 })).payload
}

/** OpenID Connect Core 3.1.3.6, for both of our algorithms. */
const atHashOf = (accessToken: string) =>
  createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')

const ErrorBody = z.strictObject({ error: z.string(), error_description: z.string() })

async function readError(response: Response): Promise<[number, string, string]> {
  const { error, error_description } = ErrorBody.parse(await response.json())
  return [response.status, error, error_description]
}

const invalidGrant = [400, 'invalid_grant', 'Authorization code is invalid.']
const invalidClient = [401, 'invalid_client', 'client_id or client_secret is invalid.']

test('200 with access_token, token_type, expires_in, id_token and scope', async () => {
  const { code } = await logins.endLogin(client.client_id, { scope: ['openid', 'email'] })
  const response = await logins.redeem(client, code)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await response.json()).toEqual({
    access_token: expect.stringMatching(/^slat_[0-9a-z]+\.[\w-]{43}$/),
    token_type: 'Bearer',
    expires_in: 3600,
    id_token: expect.any(String),
    scope: 'openid email',
  })
})

test('the ID Token is RS256 with the kid of a published key, and has the claims of the login', async () => {
  const identifier = await logins.createUser('customer-7')
  const authTime = new Date('2025-01-02T03:04:05.600Z')
  const login = { identifier, auth_time: authTime, nonce: 'n-0S6_WzA2Mj', provider_user_id: 'U7' }
  const { code } = await logins.endLogin(client.client_id, login)
  const { id_token, access_token } = await logins.fetchTokens(client, code)
  expect(decodeProtectedHeader(id_token)).toEqual({ alg: 'RS256', kid: expect.any(String) })
  const payload = await verify(id_token, client.client_id)
  expect(payload).toEqual({
    iss: logins.auth,
    sub: identifier,
    aud: client.client_id,
    iat: expect.any(Number),
    exp: Number(payload.iat) + 600,
    auth_time: 1_735_787_045,
    nonce: 'n-0S6_WzA2Mj',
    at_hash: atHashOf(access_token),
    primary_key: 'customer-7',
    provider: 'messaging',
    provider_uid: 'U7',
  })
})

test('claims of the scopes are not in the ID Token; without a nonce or mapping it has none', async () => {
  const scope = ['openid', 'profile', 'email', 'phone', 'address']
  const { code } = await logins.endLogin(client.client_id, { scope })
  const { id_token } = await logins.fetchTokens(client, code)
  const payload = await verify(id_token, client.client_id)
  expect(Object.keys(payload).sort()).toEqual(
    ['at_hash', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'provider', 'provider_uid', 'sub'].sort(),
  )
})

test('ES256 for a client that is registered for it', async () => {
  const es256 = await logins.registerClient({ id_token_alg: 'ES256' })
  const { code } = await logins.endLogin(es256.client_id)
  const { id_token, access_token } = await logins.fetchTokens(es256, code)
  expect(decodeProtectedHeader(id_token).alg).toBe('ES256')
  expect((await verify(id_token, es256.client_id)).at_hash).toBe(atHashOf(access_token))
})

test('client_secret_basic and client_secret_post both authenticate', async () => {
  const [first, second] = await Promise.all([logins.endLogin(client.client_id), logins.endLogin(client.client_id)])
  const form = { grant_type: 'authorization_code', redirect_uri: redirectUri }
  expect((await logins.postToken({ ...form, code: first.code }, basic(client))).status).toBe(200)
  expect((await logins.postToken({ ...form, code: second.code, ...client })).status).toBe(200)
})

test('401 invalid_client with a challenge when Basic was used, without one otherwise', async () => {
  const { code } = await logins.endLogin(client.client_id)
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  const wrong = { ...client, client_secret: `${client.client_secret}x` }

  const byHeader = await logins.postToken(form, basic(wrong))
  expect(byHeader.headers.get('www-authenticate')).toMatch(/^Basic /)
  expect(await readError(byHeader)).toEqual(invalidClient)

  const byForm = await logins.postToken({ ...form, ...wrong })
  expect(byForm.headers.get('www-authenticate')).toBeNull()
  expect(await readError(byForm)).toEqual(invalidClient)

  expect((await logins.redeem(client, code)).status).toBe(200)
})

test('401 for an unknown client, a confidential one without its secret, and another client’s secret', async () => {
  const other = await logins.registerClient()
  const invalidClients = [
    { ...client, client_id: 'slcl_unknown' },
    { ...client, client_secret: '' },
    { ...client, client_secret: other.client_secret },
  ]
  for (const wrong of invalidClients)
    expect(await readError(await logins.redeem(wrong, 'slac_x'))).toEqual(invalidClient)
  const bearer = await logins.postToken({ grant_type: 'authorization_code' }, { authorization: 'Bearer x' })
  expect(await readError(bearer)).toEqual(invalidClient)
})

test('400 for two methods of client authentication in one request', async () => {
  const { code } = await logins.endLogin(client.client_id)
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  const response = await logins.postToken({ ...form, ...client }, basic(client))
  expect((await readError(response)).slice(0, 2)).toEqual([400, 'invalid_request'])
  expect((await logins.redeem(client, code)).status).toBe(200)
})

test('two secrets are active during a rotation; only their hashes are stored', async () => {
  const rotating = await logins.registerClient()
  const second = 'slcs_the-second-secret'
  const secretHash = createHash('sha256').update(second).digest('hex')
  await logins.knex('client_secrets').insert({ client_id: rotating.client_id, secret_hash: secretHash })
  for (const clientSecret of [rotating.client_secret, second]) {
    const { code } = await logins.endLogin(rotating.client_id)
    expect((await logins.redeem({ ...rotating, client_secret: clientSecret }, code)).status).toBe(200)
  }
  const stored = await logins.knex('client_secrets').select()
  expect(JSON.stringify(stored)).not.toContain(rotating.client_secret)
})

test.each([
  ['grant_type', 'grant_type is required.'],
  ['code', 'code is required.'],
  ['redirect_uri', 'redirect_uri is required.'],
])('400 "%s is required."', async (parameter, description) => {
  const { code } = await logins.endLogin(client.client_id)
  const response = await logins.redeem(client, code, { [parameter]: '' })
  expect(await readError(response)).toEqual([400, 'invalid_request', description])
  expect((await logins.redeem(client, code)).status).toBe(200)
})

test('400 "client_id is required." without a client', async () => {
  const response = await logins.redeem({ client_id: '', client_secret: '' }, 'slac_x')
  expect(await readError(response)).toEqual([400, 'invalid_request', 'client_id is required.'])
})

test('400 "Unsupported grant_type."', async () => {
  for (const grantType of ['refresh_token', 'client_credentials', 'password', 'Authorization_code'])
    expect(await readError(await logins.redeem(client, 'slac_x', { grant_type: grantType }))).toEqual([
      400,
      'unsupported_grant_type',
      'Unsupported grant_type.',
    ])
})

test('400 if the code is unknown or older than a minute; it is stored as a hash', async () => {
  expect(await readError(await logins.redeem(client, 'slac_unknown'))).toEqual(invalidGrant)
  const { code } = await logins.endLogin(client.client_id)
  const codeHash = createHash('sha256').update(code).digest('hex')
  const life = logins.knex.raw('extract(epoch from expires_at - now())::float as seconds')
  const row = await logins.knex('authorization_codes').where({ code_hash: codeHash }).first('*', life)
  expect(row.seconds).toBeGreaterThan(50)
  expect(row.seconds).toBeLessThanOrEqual(60)
  expect(JSON.stringify(row)).not.toContain(code)
  await logins.knex('authorization_codes').where({ code_hash: codeHash }).update({ expires_at: logins.knex.fn.now() })
  expect(await readError(await logins.redeem(client, code))).toEqual(invalidGrant)
})

test('of fifty concurrent redemptions exactly one succeeds', async () => {
  const { code } = await logins.endLogin(client.client_id)
  const responses = await Promise.all(Array.from({ length: 50 }, () => logins.redeem(client, code)))
  const statuses = responses.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 400)).toHaveLength(49)
})

test('400 for a second redemption, and the access token of the first is revoked', async () => {
  const { code } = await logins.endLogin(client.client_id)
  const { access_token } = await logins.fetchTokens(client, code)
  expect((await logins.userinfo(access_token)).status).toBe(200)
  expect(await readError(await logins.redeem(client, code))).toEqual(invalidGrant)
  expect((await logins.userinfo(access_token)).status).toBe(401)
})

test('another client can neither redeem nor invalidate a code, nor revoke its tokens', async () => {
  const thief = await logins.registerClient()
  const { code } = await logins.endLogin(client.client_id)
  expect(await readError(await logins.redeem(thief, code))).toEqual(invalidGrant)
  const { access_token } = await logins.fetchTokens(client, code)
  expect(await readError(await logins.redeem(thief, code))).toEqual(invalidGrant)
  expect((await logins.userinfo(access_token)).status).toBe(200)
})

test('a failed authentication does not invalidate the code', async () => {
  const { code } = await logins.endLogin(client.client_id)
  expect((await logins.redeem({ ...client, client_secret: 'wrong' }, code)).status).toBe(401)
  expect((await logins.redeem(client, code)).status).toBe(200)
})

test('another redirect_uri invalidates the code', async () => {
  const { code } = await logins.endLogin(client.client_id)
  const changed = { redirect_uri: `${redirectUri}&x=1` }
  expect(await readError(await logins.redeem(client, code, changed))).toEqual(invalidGrant)
  expect(await readError(await logins.redeem(client, code))).toEqual(invalidGrant)
})

const codeVerifier = 'a'.repeat(43)
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
const s256 = { code_challenge: codeChallenge, code_challenge_method: 'S256' } as const

test.each([
  ['S256', s256],
  ['plain', { code_challenge: codeVerifier, code_challenge_method: 'plain' } as const],
])('%s: the right verifier redeems, a wrong one invalidates the code', async (_, challenge) => {
  const right = await logins.endLogin(client.client_id, challenge)
  expect((await logins.redeem(client, right.code, { code_verifier: codeVerifier })).status).toBe(200)

  const wrong = await logins.endLogin(client.client_id, challenge)
  const response = await logins.redeem(client, wrong.code, { code_verifier: 'b'.repeat(43) })
  expect(await readError(response)).toEqual(invalidGrant)
  expect(await readError(await logins.redeem(client, wrong.code, { code_verifier: codeVerifier }))).toEqual(
    invalidGrant,
  )
})

test('a missing verifier for a challenge invalidates the code', async () => {
  const { code } = await logins.endLogin(client.client_id, s256)
  expect(await readError(await logins.redeem(client, code))).toEqual(invalidGrant)
  expect(await readError(await logins.redeem(client, code, { code_verifier: codeVerifier }))).toEqual(invalidGrant)
})

test('a verifier shorter than 43 characters invalidates the code', async () => {
  const challenge = createHash('sha256').update('a').digest('base64url')
  const { code } = await logins.endLogin(client.client_id, { ...s256, code_challenge: challenge })
  expect(await readError(await logins.redeem(client, code, { code_verifier: 'a' }))).toEqual(invalidGrant)
})

test('a verifier without a challenge is rejected', async () => {
  const { code } = await logins.endLogin(client.client_id)
  expect(await readError(await logins.redeem(client, code, { code_verifier: codeVerifier }))).toEqual(invalidGrant)
})

test('a public client redeems with its verifier, and never without', async () => {
  const app = await logins.registerClient({ kind: 'public' })
  const { code } = await logins.endLogin(app.client_id, s256)
  expect(await readError(await logins.redeem(app, code))).toEqual([
    400,
    'invalid_request',
    'code_verifier is required.',
  ])
  expect(await readError(await logins.redeem({ ...app, client_secret: 'x' }, code))).toEqual(invalidClient)
  expect((await logins.redeem(app, code, { code_verifier: codeVerifier })).status).toBe(200)
})

test('400 when the user has been deleted since the login', async () => {
  const { call, identity } = logins.serviceStack
  const { code, identifier } = await logins.endLogin(client.client_id)
  await identity.deleteUser({ site: logins.site, identifier }, call())
  expect(await readError(await logins.redeem(client, code))).toEqual(invalidGrant)
})

test('400 if identity does not know the user any more', async () => {
  const { code } = await logins.endLogin(client.client_id, { identifier: newIdentifier() })
  expect(await readError(await logins.redeem(client, code))).toEqual(invalidGrant)
})

test('responses are not cached and contain neither code nor secret', async () => {
  const { code } = await logins.endLogin(client.client_id)
  for (const response of [await logins.redeem(client, code), await logins.redeem(client, code)]) {
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const text = await response.text()
    expect(text).not.toContain(code)
    expect(text).not.toContain(client.client_secret)
  }
})

test('parameters in the URL, repeated ones, and bodies that are not a form are rejected', async () => {
  const { code } = await logins.endLogin(client.client_id)
  const address = `${logins.auth}/oauth2/token`
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    ...client,
  }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const bad: [string, RequestInit][] = [
    [`${address}?${form}`, { headers: type }],
    [`${address}?client_id=${client.client_id}`, { headers: type, body: form }],
    [address, { headers: type, body: `${form}&code=${code}` }],
    [address, { headers: type, body: `${form}&unknown=1&unknown=2` }],
    [address, { headers: type, body: `${form}&pad=${'x'.repeat(16_384)}` }],
    [address, { headers: type, body: `${form}&x=%zz` }],
    [address, { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code }) }],
    [address, {}],
  ]
  for (const [url, init] of bad)
    expect((await readError(await fetch(url, { method: 'POST', ...init }))).slice(0, 2)).toEqual([
      400,
      'invalid_request',
    ])
  expect((await fetch(address, { method: 'POST', headers: type, body: form })).status).toBe(200)
})

test('405 with Allow for other methods than POST', async () => {
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
    const response = await fetch(`${logins.auth}/oauth2/token`, { method })
    expect([method, response.status]).toEqual([method, 405])
    expect(response.headers.get('allow')).toContain('POST')
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
})

test('404 for another case or a trailing slash in the path', async () => {
  for (const path of ['/oauth2/Token', '/oauth2/token/', '/OAuth2/token', '//oauth2/token'])
    expect((await fetch(`${logins.auth}${path}`, { method: 'POST' })).status).toBe(404)
})

test('a script of another origin can call the endpoint, as public clients do', async () => {
  const response = await fetch(`${logins.auth}/oauth2/token`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
  })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-methods')).toBe('POST')
  expect((await logins.redeem(client, 'slac_x')).headers.get('access-control-allow-origin')).toBe('*')
})
