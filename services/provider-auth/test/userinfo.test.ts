import { decodeJwt } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { newIdentifier, newToken } from '#runtime'
import { newAccessToken } from '../store/access-tokens.ts'
import { consumeCode } from '../store/authorization-codes.ts'
import { createLoginsFixture, type SharedLogins, type TestClient } from './logins.ts'

const logins = createLoginsFixture()
let client: TestClient
beforeAll(async () => {
  client = await logins.registerClient()
})

type LoginOptions = Parameters<SharedLogins['endLogin']>[1]

async function logIn(
  options: LoginOptions = {},
): Promise<{ access_token: string; id_token: string; identifier: string }> {
  const { code, identifier } = await logins.endLogin(client.client_id, options)
  return { identifier, ...(await logins.fetchTokens(client, code)) }
}

function requestUserinfo(init: RequestInit & { query?: string } = {}): Promise<Response> {
  return fetch(`${logins.auth}/oauth2/userinfo${init.query ?? ''}`, init)
}

const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` })

function expectInvalidToken(response: Response) {
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
}

test('200 with the sub of the ID Token, the provider, and the claims of the granted scopes', async () => {
  const identifier = await logins.createUser('customer-1')
  const { access_token, id_token } = await logIn({ identifier, scope: ['openid', 'profile', 'email'] })
  const response = await logins.userinfo(access_token)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({
    sub: identifier,
    primary_key: 'customer-1',
    provider: 'messaging',
    provider_uid: 'U1',
    name: '山田 "太郎" </script>',
    nickname: 'taro',
    preferred_username: 'taro',
    updated_at: expect.any(Number),
    gender: 'male',
    email: 'taro@example.com',
    email_verified: true,
  })
  expect(decodeJwt(id_token).sub).toBe(identifier)
})

test('a token of scope openid identifies the user without further claims', async () => {
  const { access_token, identifier } = await logIn()
  expect(await (await logins.userinfo(access_token)).json()).toEqual({
    sub: identifier,
    provider: 'messaging',
    provider_uid: 'U1',
  })
})

test('primary_key is the current one, and absent after it was unmapped', async () => {
  const { identity, call } = logins.serviceStack
  const { access_token, identifier } = await logIn()
  const user = { site: logins.site, identifier }
  await identity.mapPrimaryKey({ ...user, primary_key: 'mapped-later', overwrite: false }, call())
  expect(await (await logins.userinfo(access_token)).json()).toMatchObject({ primary_key: 'mapped-later' })
  await identity.unmapPrimaryKey(user, call())
  expect(await (await logins.userinfo(access_token)).json()).not.toHaveProperty('primary_key')
})

test('POST returns the same as GET, with the token in the header or in the form', async () => {
  const { access_token, identifier } = await logIn()
  const byHeader = await requestUserinfo({ method: 'POST', headers: bearer(access_token) })
  const byForm = await requestUserinfo({ method: 'POST', body: new URLSearchParams({ access_token }) })
  for (const response of [byHeader, byForm]) expect(await response.json()).toMatchObject({ sub: identifier })
})

test('401 with a challenge without an error if no token is sent', async () => {
  for (const init of [{}, { method: 'POST' }, { headers: { authorization: 'Basic YTpi' } }]) {
    const response = await requestUserinfo(init)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  }
})

test('401 when the token is unknown or has expired', async () => {
  const { access_token } = await logIn()
  const random = access_token.split('.')[1]
  const unknown = [newAccessToken(logins.site), newToken('slat_'), `slat_${random}`]
  // The same token for another site, and for numbers that are no site.
  const ofOthers = [
    newAccessToken(logins.site + 1),
    ...['0', 'zzzzzz', 'zzzzzzzzzzzzz', '-1', ''].map((site) => `slat_${site}.${random}`),
  ]
  for (const token of [...unknown, ...ofOthers]) expectInvalidToken(await logins.userinfo(token))
  await logins.knex('access_tokens').update({ expires_at: logins.knex.fn.now() })
  expectInvalidToken(await logins.userinfo(access_token))
})

test('401 for a code, an ID Token, a client secret', async () => {
  const { code } = await logins.endLogin(client.client_id)
  const { id_token } = await logIn()
  for (const other of [code, id_token, client.client_secret]) expectInvalidToken(await logins.userinfo(other))
})

test('401 immediately after the user was deleted', async () => {
  const { identity, call } = logins.serviceStack
  const { access_token, identifier } = await logIn()
  await identity.deleteUser({ site: logins.site, identifier }, call())
  expectInvalidToken(await logins.userinfo(access_token))
})

test('401 if identity does not know the user any more', async () => {
  const { code } = await logins.endLogin(client.client_id, { identifier: newIdentifier() })
  const accessToken = newAccessToken(logins.site)
  const issued = { access_token: accessToken, received: [] }
  await consumeCode(logins.knex, { site: logins.site, code, client_id: client.client_id }, issued)
  expectInvalidToken(await logins.userinfo(accessToken))
})

test('400 for a token in the URL or sent twice', async () => {
  const { access_token } = await logIn()
  const rejected = [
    await requestUserinfo({ query: `?access_token=${access_token}` }),
    await requestUserinfo({ query: `?access_token=${access_token}`, headers: bearer(access_token) }),
    await requestUserinfo({
      method: 'POST',
      headers: bearer(access_token),
      body: new URLSearchParams({ access_token }),
    }),
  ]
  for (const response of rejected) {
    expect(response.status).toBe(400)
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_request"')
  }
})

test('405 with Allow for other methods than GET and POST', async () => {
  const response = await requestUserinfo({ method: 'PUT' })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('OPTIONS, HEAD, GET, POST')
})

test('a script of another origin can send requests and read errors', async () => {
  const preflight = await requestUserinfo({
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.com', 'access-control-request-headers': 'authorization' },
  })
  // Tracing in browsers adds the last two to the requests of an application (W3C Trace Context, Baggage).
  for (const name of ['Authorization', 'Content-Type', 'traceparent', 'baggage'])
    expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toContain(name)
  const rejected = await logins.userinfo('slat_x')
  expect(rejected.headers.get('access-control-allow-origin')).toBe('*')
  expect(rejected.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  expect(rejected.headers.get('access-control-allow-credentials')).toBeNull()
})

test('claims at rest are encrypted, and access tokens are stored as hashes', async () => {
  const { access_token } = await logIn({ scope: ['openid', 'profile', 'email'] })
  const rows = [await logins.knex('authorization_codes').select(), await logins.knex('access_tokens').select()]
  const dump = JSON.stringify(rows, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  )
  for (const secret of [access_token, 'taro@example.com', '山田']) expect(dump).not.toContain(secret)
})
