import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { deviceKey } from '../../../testing/device-key.ts'
import { get, register, requireText, startSimulator, withQuery } from './simulator.ts'

const redirectUris = ['https://app.example.com/']
const clients = [
  ...['messaging', 'portal', 'social', 'search'].map((provider) => ({ provider, client_secret: 'secret-of-the-app' })),
  { provider: 'device', public_key: deviceKey.public_key, ...deviceKey.options },
]

let simulator: Awaited<ReturnType<typeof startSimulator>>
beforeAll(async () => {
  simulator = await startSimulator()
  for (const client of clients)
    await register(simulator.url, { ...client, client_id: 'app', redirect_uris: redirectUris })
})
afterAll(() => simulator[Symbol.asyncDispose]())

async function logIn(provider: string, login: object) {
  const response = await fetch(`${simulator.url}/${provider}/sdk`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  return { status: response.status, json: z.record(z.string(), z.unknown()).parse(await response.json()) }
}

test.each([
  ['messaging', 'messaging', '/messaging/oauth2/v2.1/certs', 'ES256'],
  ['portal', 'portal/yconnect/v2', '/portal/yconnect/v2/jwks', 'RS256'],
  ['social', 'social', '/social/.well-known/oauth/openid/jwks', 'RS256'],
  ['search', 'search', '/search/oauth2/v3/certs', 'RS256'],
  ['device', 'device', '/device/auth/keys', 'RS256'],
])('the ID Token of %s is signed for the app with a published key', async (provider, issuer, keys, alg) => {
  const { json } = await logIn(provider, { client_id: 'app', user: 'Hanako Yamada', nonce: 'n-1' })
  const idToken = requireText(json.id_token)
  const keySet = createRemoteJWKSet(new URL(simulator.url + keys))
  const { payload } = await jwtVerify(idToken, keySet, { issuer: `${simulator.url}/${issuer}`, audience: 'app' })
  expect([payload.nonce, decodeProtectedHeader(idToken).alg]).toEqual(['n-1', alg])
  expect(typeof json.access_token).toBe(provider === 'device' ? 'undefined' : 'string')
})

test('an ID Token for a server has the app as its authorized party', async () => {
  const { json } = await logIn('search', { client_id: 'app', user: 'Hanako', server_client_id: 'server' })
  const keySet = createRemoteJWKSet(new URL(`${simulator.url}/search/oauth2/v3/certs`))
  const { payload } = await jwtVerify(requireText(json.id_token), keySet)
  expect(payload).toMatchObject({ aud: 'server', azp: 'app' })
})

test('access tokens are described with their client', async () => {
  const { json } = await logIn('search', { client_id: 'app', user: 'Hanako' })
  const address = `${simulator.url}/search/tokeninfo`
  const described = await get(withQuery(address, { access_token: requireText(json.access_token) }))
  expect(described.json).toMatchObject({
    aud: 'app',
    azp: 'app',
    email_verified: 'true',
    expires_in: expect.stringMatching(/^3\d{3}$/),
  })
  expect(await get(withQuery(address, { access_token: 'unknown' }))).toMatchObject({
    status: 400,
    json: { error: 'invalid_token', error_description: 'Invalid Value' },
  })
})

test.each([
  [{ client_id: 'unknown', user: 'Hanako' }, 'invalid_client'],
  [{ client_id: 'app', user: ' ' }, 'invalid_request'],
  [{ client_id: 'app' }, 'invalid_request'],
])('400 for %o', async (login, error) => {
  expect(await logIn('search', login)).toMatchObject({ status: 400, json: { error } })
})
