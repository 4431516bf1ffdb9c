import { expect, test } from 'vitest'
import { createLoginsFixture, fetchKeys } from './logins.ts'

const logins = createLoginsFixture()

const paths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/oauth2/jwks']
const read = (path: string, init?: RequestInit) => fetch(`${logins.auth}${path}`, init)

test('discovery lists what is supported', async () => {
  const { auth } = logins
  const metadata = await (await read('/.well-known/openid-configuration')).json()
  expect(metadata).toMatchObject({
    issuer: auth,
    authorization_endpoint: `${auth}/oauth2/authorize`,
    token_endpoint: `${auth}/oauth2/token`,
    userinfo_endpoint: `${auth}/oauth2/userinfo`,
    jwks_uri: `${auth}/oauth2/jwks`,
    response_types_supported: ['code', 'id_token'],
    grant_types_supported: ['authorization_code', 'implicit', 'urn:ietf:params:oauth:grant-type:token-exchange'],
    scopes_supported: ['openid', 'profile', 'email', 'address', 'phone'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['plain', 'S256'],
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  })
})

test('clients of OAuth 2.0 find the same document at its address of RFC 8414', async () => {
  const metadata = await (await read('/.well-known/oauth-authorization-server')).json()
  expect(metadata).toEqual(await (await read('/.well-known/openid-configuration')).json())
})

test('discovery lists the claims that logins can supply, and no documentation if its URL is not set', async () => {
  const metadata = await (await read('/.well-known/openid-configuration')).json()
  expect(metadata).toMatchObject({
    claims_supported: expect.arrayContaining([
      'preferred_username',
      'updated_at',
      'nickname',
      'at_hash',
      'name#ja-Kana-JP',
      'family_name#ja-Kana-JP',
      'given_name#ja-Hani-JP',
      'phone_number',
    ]),
    response_modes_supported: ['query', 'fragment', 'form_post'],
  })
  expect(metadata).not.toHaveProperty('service_documentation')
})

test('discovery links to the documentation of the Web API if its URL is set', async () => {
  const replica = await logins.startReplica({ WEB_API_URL: 'https://api.example.com' })
  const response = await fetch(`http://localhost:${replica.exposed.port}/.well-known/openid-configuration`)
  await replica.stop()
  const metadata = await response.json()
  expect(metadata).toMatchObject({ service_documentation: 'https://api.example.com/docs' })
})

test('URLs come from configuration, regardless of the request’s host', async () => {
  const response = await read('/.well-known/openid-configuration', {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
  })
  expect(await response.text()).not.toContain('evil')
})

test('the key set has an RSA key of 3072 bits and a P-256 key, without private parts', async () => {
  const keys = await fetchKeys(logins.auth)
  const base64url = expect.stringMatching(/^[\w-]+$/)
  expect(keys).toHaveLength(2)
  expect(keys).toEqual(
    expect.arrayContaining([
      { kty: 'RSA', alg: 'RS256', use: 'sig', kid: base64url, e: 'AQAB', n: expect.stringMatching(/^[\w-]{512}$/) },
      { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: base64url, x: base64url, y: base64url },
    ]),
  )
  expect(keys[0]?.kid).not.toBe(keys[1]?.kid)
})

test.each(paths)('%s can be cached briefly and read by any origin, and sets no cookie', async (path) => {
  const response = await read(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.getSetCookie()).toEqual([])
})

test.each(paths)('304 for %s if the ETag is unchanged', async (path) => {
  const etag = (await read(path)).headers.get('etag') ?? ''
  // Otherwise fetch adds `no-cache`, which always requests the content.
  const readIfNoneMatch = (known: string) =>
    read(path, { headers: { 'if-none-match': known, 'cache-control': 'max-age=0' } })
  expect((await readIfNoneMatch(etag)).status).toBe(304)
  expect((await readIfNoneMatch('"other"')).status).toBe(200)
})

test.each(paths)('HEAD of %s returns the headers of GET without the body; 405 for POST', async (path) => {
  const head = await read(path, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const post = await read(path, { method: 'POST' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'OPTIONS, HEAD, GET'])
})
