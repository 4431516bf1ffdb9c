import { beforeAll, expect, test } from 'vitest'
import { limits } from '#contracts'
import { newAccessToken } from '../store/access-tokens.ts'
import { basic, createLoginsFixture, type TestClient } from './logins.ts'

const logins = createLoginsFixture()
let client: TestClient
beforeAll(async () => {
  client = await logins.registerClient()
})

const revoke = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${logins.auth}/oauth2/revoke`, { method: 'POST', body: new URLSearchParams(form), headers })

async function fetchToken(of: TestClient = client): Promise<string> {
  const { code } = await logins.endLogin(of.client_id)
  return (await logins.fetchTokens(of, code)).access_token
}
const isTokenValid = async (accessToken: string) => (await logins.userinfo(accessToken)).status === 200
async function readError(response: Response): Promise<unknown[]> {
  const { error, error_description }: Record<string, unknown> = Object(await response.json())
  return [response.status, error, error_description]
}

test('discovery names the endpoint and how clients authenticate there', async () => {
  const metadata: unknown = await (await fetch(`${logins.auth}/.well-known/openid-configuration`)).json()
  expect(metadata).toMatchObject({
    revocation_endpoint: `${logins.auth}/oauth2/revoke`,
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  })
})

test('200 and the access token is revoked, by client_secret_basic and _post; 200 also when revoked again', async () => {
  const [one, other] = [await fetchToken(), await fetchToken()]
  for (const response of [
    await revoke({ token: one }, basic(client)),
    await revoke({ token: other, token_type_hint: 'access_token', ...client }),
    await revoke({ token: other, ...client }),
  ]) {
    expect([response.status, await response.text(), response.headers.get('cache-control')]).toEqual([
      200,
      '',
      'no-store',
    ])
  }
  expect([await isTokenValid(one), await isTokenValid(other)]).toEqual([false, false])
})

test('one token is revoked, and no other of the user or client', async () => {
  const [one, other] = [await fetchToken(), await fetchToken()]
  await revoke({ token: one, ...client })
  expect(await isTokenValid(other)).toBe(true)
})

test('a public client authenticates only by its client_id', async () => {
  const app = await logins.registerClient({
    kind: 'public',
    pkce: 'S256',
    redirect_uris: ['com.example.app:/callback'],
  })
  const response = await revoke({ token: 'slat_unknown', client_id: app.client_id })
  expect(response.status).toBe(200)
})

test.each([
  ['an unknown token', newAccessToken(1)],
  ['a malformed token', 'slat_unknown'],
  ['a token of another service', 'abc'],
])('200 for %s, with any hint', async (_, token) => {
  for (const hint of [{}, { token_type_hint: 'refresh_token' }, { token_type_hint: 'nonsense' }])
    expect((await revoke({ token, ...hint, ...client })).status).toBe(200)
})

test('400 invalid_grant for another client’s token, which stays valid', async () => {
  const token = await fetchToken(await logins.registerClient())
  const error = await readError(await revoke({ token, ...client }))
  expect(error).toEqual([400, 'invalid_grant', 'The token was issued to another client.'])
  expect(await isTokenValid(token)).toBe(true)
})

test('400 unsupported_token_type for an authorization code or an ID Token, which stay valid', async () => {
  const { code } = await logins.endLogin(client.client_id)
  const unsupported = [400, 'unsupported_token_type', 'Only access tokens can be revoked.']
  expect(await readError(await revoke({ token: code, ...client }))).toEqual(unsupported)
  const { id_token } = await logins.fetchTokens(client, code)
  expect(await readError(await revoke({ token: id_token, ...client }))).toEqual(unsupported)
})

test('400 invalid_request without a token, with a repeated parameter, or with one in the URL', async () => {
  expect(await readError(await revoke({ ...client }))).toEqual([400, 'invalid_request', 'token is required.'])
  const twice = new URLSearchParams({ ...client, token: 'slat_x' })
  twice.append('token', 'slat_y')
  const response = await fetch(`${logins.auth}/oauth2/revoke`, { method: 'POST', body: twice })
  expect((await readError(response)).slice(0, 2)).toEqual([400, 'invalid_request'])
  const inAddress = await fetch(`${logins.auth}/oauth2/revoke?token=slat_x`, {
    method: 'POST',
    headers: basic(client),
  })
  expect((await readError(inAddress)).slice(0, 2)).toEqual([400, 'invalid_request'])
})

test('401 invalid_client with a wrong secret, with a common limit for failures here and at the token endpoint', async () => {
  const guessed = await logins.registerClient()
  const token = await fetchToken(guessed)
  const wrong = { ...guessed, client_secret: 'slcs_wrong' }
  for (let attempt = 0; attempt < limits.client_failures_per_window; attempt++) {
    const response = attempt % 2 === 0 ? await revoke({ token, ...wrong }) : await logins.redeem(wrong, 'slac_x')
    expect(response.status).toBe(401)
  }
  expect((await revoke({ token, ...wrong })).status).toBe(429)
  expect(await isTokenValid(token)).toBe(true)
  expect((await revoke({ token, ...guessed })).status).toBe(200)
})

test('other methods are 405 in JSON; scripts of any origin can call it', async () => {
  const got = await fetch(`${logins.auth}/oauth2/revoke`)
  expect([got.status, got.headers.get('content-type')]).toEqual([405, 'application/json; charset=utf-8'])
  const preflight = await fetch(`${logins.auth}/oauth2/revoke`, { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'POST'])
})
