import { createHash, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text as bodyOf } from 'node:stream/consumers'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, importPKCS8, jwtVerify, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { address, get, openForm, post, register, sendForm, startSimulator, text } from './simulator.ts'

const redirect_uri = 'http://localhost:9/callback'
const client_id = 'com.example.shop'
const pem = { type: 'pkcs8', format: 'pem' } as const
const spki = { type: 'spki', format: 'pem' } as const
const newKeys = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256', privateKeyEncoding: pem, publicKeyEncoding: spki })
const keys = newKeys()
const client = {
  ...{ provider: 'device', client_id, redirect_uris: [redirect_uri] },
  ...{ public_key: keys.publicKey, team_id: 'TEAM123456', key_id: 'KEY1234567' },
}

let issuer: string
let simulator: Awaited<ReturnType<typeof startSimulator>>
let server: Awaited<ReturnType<typeof listenForNotices>>
beforeAll(async () => {
  simulator = await startSimulator()
  server = await listenForNotices()
  issuer = `${simulator.url}/device`
  await Promise.all([
    register(simulator.url, { ...client, notification_uri: server.url }),
    register(simulator.url, { ...client, client_id: 'com.example.same-team' }),
    register(simulator.url, { ...client, client_id: 'com.example.other-team', team_id: 'TEAM654321' }),
  ])
})
afterAll(async () => {
  await simulator[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
afterEach(() => {
  vi.useRealTimers()
})

const asked = {
  ...{ response_type: 'code', response_mode: 'form_post', scope: 'name email' },
  ...{ client_id, redirect_uri, state: 'a-/b', nonce: 'n-1' },
}
const authorization = (changes: Record<string, string> = {}) =>
  address(`${issuer}/auth/authorize`, { ...asked, ...changes })

const Form = z.object({ action: z.string(), fields: z.record(z.string(), z.string()) })

/** The form that a browser posts to the application by itself. */
async function formOf(response: Response) {
  const html = await response.text()
  expect(response.status, html).toBe(200)
  const decode = (value: string) =>
    value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return Form.parse({
    action: /<form id="form-post" method="post" action="([^"]+)"/.exec(html)?.[1],
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, decode(value)])),
  })
}

async function answer(fields: Record<string, string>, changes: Record<string, string> = {}) {
  const { handle } = await openForm(authorization(changes))
  return sendForm(simulator.url, { handle, decision: 'allow', ...fields })
}

const consent = async (user: string, changes: Record<string, string> = {}) =>
  (await formOf(await answer({ user }, changes))).fields

/** A client secret as it should be; `claims` and `header` change it. */
async function mint({ claims = {}, header = {}, key = keys.privateKey, lasts = 300 } = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1_000)
  return new SignJWT({ iss: 'TEAM123456', sub: client_id, aud: issuer, iat: now, exp: now + lasts, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'KEY1234567', ...header })
    .sign(await importPKCS8(key, 'ES256'))
}

const exchange = async (code: string, changes: Record<string, string> = {}) =>
  post(`${issuer}/auth/token`, {
    grant_type: 'authorization_code',
    ...{ code, redirect_uri, client_id, client_secret: await mint() },
    ...changes,
  })

async function tokensFor(user: string, changes: Record<string, string> = {}) {
  const { json } = await exchange(text((await consent(user, changes)).code))
  const [id_token, refresh_token] = [text(json.id_token), text(json.refresh_token)]
  return { id_token, refresh_token, access_token: text(json.access_token), claims: decodeJwt(id_token) }
}

const withSecret = async (path: string, fields: Record<string, string>) =>
  fetch(`${issuer}${path}`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret: await mint(), ...fields }),
  })

async function refresh(refresh_token: string) {
  const response = await withSecret('/auth/token', { grant_type: 'refresh_token', refresh_token })
  return { status: response.status, json: z.looseObject({}).parse(await response.json()) }
}

const pass_seconds = (seconds: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })
}

/** An application's server that keeps what it is told. */
async function listenForNotices() {
  const received: { type: string | undefined; payload: string }[] = []
  const listening = createServer(async (request, response) => {
    const { payload } = z.strictObject({ payload: z.string() }).parse(JSON.parse(await bodyOf(request)))
    received.push({ type: request.headers['content-type'], payload })
    response.end()
  }).listen(0)
  await once(listening, 'listening')
  const bound = listening.address()
  return {
    url: `http://localhost:${typeof bound === 'object' ? bound?.port : 0}/notices`,
    received,
    async [Symbol.asyncDispose]() {
      listening.closeAllConnections()
      await new Promise((resolve) => listening.close(resolve))
    },
  }
}

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
    ['an unregistered redirect_uri', { redirect_uri: `${redirect_uri}?more=1` }, 'redirect_uri'],
    ['name and email asked for without form_post', { response_mode: 'query' }, 'response_mode must be form_post'],
    ['email asked for by fragment', { response_mode: 'fragment', scope: 'email' }, 'response_mode must be form_post'],
    ['an id_token by query', { response_mode: 'query', scope: '', response_type: 'code id_token' }, 'fragment'],
    ['an id_token alone', { response_type: 'id_token' }, 'response_type'],
    ['a scope of others', { scope: 'name profile' }, 'scope'],
    ['a response_mode of others', { response_mode: 'jwt' }, 'response_mode'],
  ])('a page and no way back for %s', async (_, changes, named) => {
    const response = await fetch(authorization(changes), { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(named)
  })

  test('consent is posted to the application by a form that sends itself, and has a button', async () => {
    const response = await answer({ user: 'Hanako Yamada' })
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' http: https:; frame-ancestors 'none'; base-uri 'none'; script-src 'self'",
    )
    const html = await response.clone().text()
    expect(html).toContain('<button class="allow">Continue</button>')
    const script = await fetch(new URL(/<script src="([^"]+)"/.exec(html)?.[1] ?? '', simulator.url))
    expect(script.headers.get('content-type')).toMatch('text/javascript')
    const { action, fields } = await formOf(response)
    expect(action).toBe(redirect_uri)
    expect({ ...fields, user: JSON.parse(fields.user ?? '') }).toEqual({
      state: 'a-/b',
      code: expect.any(String),
      user: {
        name: { firstName: 'Hanako', lastName: 'Yamada' },
        email: expect.stringMatching(/^hanako\.yamada\.\w+@device\.example$/),
      },
    })
  })

  test('user comes once, and again after the consent was withdrawn', async () => {
    expect(await consent('Only Once')).toHaveProperty('user')
    expect(await consent('Only Once')).not.toHaveProperty('user')
    const { refresh_token } = await tokensFor('Only Once')
    await withSecret('/auth/revoke', { token: refresh_token })
    expect(await consent('Only Once')).toHaveProperty('user')
  })

  test.each([
    ['name', ['name']],
    ['email', ['email']],
  ])('user has what was asked for: %s', async (scope, names) => {
    const { user = '' } = await consent(`Asked for ${scope}`, { scope })
    expect(Object.keys(JSON.parse(user))).toEqual(names)
  })

  test('who cancels comes back with user_cancelled_authorize and the state alone', async () => {
    const { fields } = await formOf(await answer({ decision: 'deny' }))
    expect(fields).toEqual({ state: 'a-/b', error: 'user_cancelled_authorize' })
  })

  test('without scopes the answer may stand in query or fragment, and there is no user', async () => {
    const where = async (changes: Record<string, string>) => {
      const response = await answer({ user: 'hanako' }, { scope: '', ...changes })
      return new URL(response.headers.get('location') ?? '')
    }
    expect([...(await where({ response_mode: 'query' })).searchParams.keys()]).toEqual(['state', 'code'])
    const { hash, search } = await where({ response_mode: 'fragment', response_type: 'code id_token' })
    expect(search).toBe('')
    const returned = new URLSearchParams(hash.slice(1))
    expect([...returned.keys()]).toEqual(['state', 'code', 'id_token'])
    const c_hash = createHash('sha256')
      .update(returned.get('code') ?? '')
      .digest()
      .subarray(0, 16)
    expect(decodeJwt(returned.get('id_token') ?? '')).toMatchObject({
      c_hash: c_hash.toString('base64url'),
      nonce: 'n-1',
    })
  })
})

describe('client secret', () => {
  test('is accepted for as long as six months', async () => {
    const client_secret = await mint({ lasts: 15_777_000 })
    expect((await exchange(text((await consent('hanako')).code), { client_secret })).status).toBe(200)
  })

  test.each<[string, () => Promise<string>]>([
    ['a secret that is no token', async () => 'a-plain-secret'],
    ['another key', () => mint({ key: newKeys().privateKey })],
    ['another key id', () => mint({ header: { kid: 'KEY7654321' } })],
    ['another team', () => mint({ claims: { iss: 'TEAM654321' } })],
    ['another client', () => mint({ claims: { sub: 'com.example.other' } })],
    ['another audience', () => mint({ claims: { aud: `${issuer}/` } })],
    ['no exp', () => mint({ claims: { exp: undefined } })],
    ['no iat', () => mint({ claims: { iat: undefined } })],
    ['an exp that is past', () => mint({ lasts: -1 })],
    ['a life of a second more than six months', () => mint({ lasts: 15_777_001 })],
  ])('invalid_client for %s', async (_, secret) => {
    const refused = await exchange(text((await consent('hanako')).code), { client_secret: await secret() })
    expect(refused).toMatchObject({ status: 400, json: { error: 'invalid_client' } })
  })
})

describe('tokens', () => {
  test('come for a code once, within five minutes, to its redirect_uri', async () => {
    const code = text((await consent('hanako')).code)
    expect(await exchange(code)).toMatchObject({ status: 200, json: { token_type: 'Bearer', expires_in: 3_600 } })
    const slow = text((await consent('hanako')).code)
    const elsewhere = text((await consent('hanako')).code)
    const refusals = [await exchange(code), await exchange(elsewhere, { redirect_uri: `${redirect_uri}/` })]
    pass_seconds(301)
    refusals.push(await exchange(slow))
    for (const refused of refusals) expect(refused).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
  })

  test('the ID Token is RS256 under one of several keys, has no name, and its booleans are text', async () => {
    const { json } = await get(`${issuer}/auth/keys`)
    const kids = z
      .array(z.object({ kid: z.string(), kty: z.literal('RSA') }))
      .parse(json.keys)
      .map(({ kid }) => kid)
    expect(kids.length).toBeGreaterThan(1)
    const { id_token, access_token } = await tokensFor('Hanako Yamada')
    expect(kids.indexOf(decodeProtectedHeader(id_token).kid ?? '')).toBeGreaterThan(0)
    const checks = { issuer, audience: client_id, algorithms: ['RS256'] }
    const { payload } = await jwtVerify(id_token, createRemoteJWKSet(new URL(`${issuer}/auth/keys`)), checks)
    expect(payload).toEqual({
      ...{ iss: issuer, aud: client_id, iat: expect.any(Number), exp: Number(payload.iat) + 86_400 },
      sub: expect.stringMatching(/^\d{6}\.[0-9a-f]{32}\.\d{4}$/),
      ...{ nonce: 'n-1', nonce_supported: true, auth_time: expect.any(Number) },
      at_hash: createHash('sha256').update(access_token).digest().subarray(0, 16).toString('base64url'),
      ...{ email: expect.stringContaining('@device.example'), email_verified: 'true', is_private_email: 'false' },
    })
  })

  test('who hides their e-mail address at the first consent is known by one of the relay ever after', async () => {
    const { fields } = await formOf(await answer({ user: 'Shy Person', option: 'yes' }))
    const relay = expect.stringMatching(/^[0-9a-f]{10}@privaterelay\.device\.example$/)
    expect(JSON.parse(fields.user ?? '').email).toEqual(relay)
    const { claims } = await tokensFor('Shy Person')
    expect(claims).toMatchObject({ email: relay, email_verified: 'true', is_private_email: 'true' })
  })

  test('a person has one id for the applications of a team, and another for each other team', async () => {
    const subOf = async (id: string, team = 'TEAM123456') => {
      const code = text((await consent('hanako', { client_id: id })).code)
      const client_secret = await mint({ claims: { sub: id, iss: team } })
      return decodeJwt(text((await exchange(code, { client_id: id, client_secret })).json.id_token)).sub
    }
    const first = await subOf(client_id)
    expect(await subOf('com.example.same-team')).toBe(first)
    expect(await subOf('com.example.other-team', 'TEAM654321')).not.toBe(first)
  })

  test('a refresh brings a new access token and an ID Token without nonce, and no refresh token', async () => {
    const { refresh_token, access_token, claims } = await tokensFor('hanako')
    pass_seconds(86_400 * 400)
    const { status, json } = await refresh(refresh_token)
    expect(status).toBe(200)
    expect(Object.keys(json).sort()).toEqual(['access_token', 'expires_in', 'id_token', 'token_type'])
    expect(json.access_token).not.toBe(access_token)
    const refreshed = decodeJwt(text(json.id_token))
    expect(refreshed.sub).toBe(claims.sub)
    expect(refreshed).not.toHaveProperty('nonce')
  })

  test.each(['access_token', 'refresh_token'] as const)('revoking the %s ends all of the consent', async (kind) => {
    const tokens = await tokensFor('Leaving')
    const { refresh_token: another } = await tokensFor('Leaving')
    const revoke = () => withSecret('/auth/revoke', { token: tokens[kind], token_type_hint: kind })
    const response = await revoke()
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 200, body: '' })
    expect((await refresh(another)).json).toMatchObject({ error: 'invalid_grant' })
    expect((await revoke()).status).toBe(200)
  })

  test('nothing is revoked without the client’s secret', async () => {
    const { refresh_token } = await tokensFor('hanako')
    const response = await withSecret('/auth/revoke', { token: refresh_token, client_secret: 'x' })
    expect(response.status).toBe(400)
    expect((await refresh(refresh_token)).status).toBe(200)
  })
})

describe('what a person does about their account', () => {
  const change = (event: string, user: string, id = client_id) =>
    post(`${issuer}/account/${event}`, { client_id: id, user })

  test.each(['consent-revoked', 'account-delete', 'account-deleted'])(
    '%s ends the consent, and the application is told by a signed notice',
    async (type) => {
      const { refresh_token, claims } = await tokensFor(`Does ${type}`)
      server.received.length = 0
      const { json } = await change(type, `Does ${type}`)
      expect(json).toEqual({ type, sub: claims.sub, notified: 200 })
      expect((await refresh(refresh_token)).json).toMatchObject({ error: 'invalid_grant' })

      const [notice, ...others] = server.received
      expect(others).toEqual([])
      expect(notice?.type).toBe('application/json')
      const checks = { issuer, audience: client_id, algorithms: ['RS256'] }
      const jwks = createRemoteJWKSet(new URL(`${issuer}/auth/keys`))
      const { payload } = await jwtVerify(notice?.payload ?? '', jwks, checks)
      expect(payload).toEqual({
        ...{ iss: issuer, aud: client_id, iat: expect.any(Number), jti: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        events: expect.any(String),
      })
      const told = JSON.parse(text(payload.events))
      expect(told).toEqual({ type, sub: claims.sub, event_time: expect.any(Number) })
      expect(told.event_time).toBeGreaterThan(1e12)
    },
  )

  test.each(['email-disabled', 'email-enabled'])(
    '%s tells the address of the relay, and ends nothing',
    async (type) => {
      const user = `Hidden ${type}`
      await answer({ user, option: 'yes' })
      const { refresh_token, claims } = await tokensFor(user)
      server.received.length = 0
      expect((await change(type, user)).json).toMatchObject({ notified: 200 })
      const told = JSON.parse(text(decodeJwt(server.received[0]?.payload ?? '').events))
      expect(told).toMatchObject({ type, sub: claims.sub, email: claims.email, is_private_email: 'true' })
      expect((await refresh(refresh_token)).status).toBe(200)
    },
  )

  test('an application without an address for notices is not told', async () => {
    await consent('Quiet', { client_id: 'com.example.same-team' })
    expect((await change('consent-revoked', 'Quiet', 'com.example.same-team')).json).toMatchObject({ notified: null })
  })

  test.each([
    ['a person who does not use the application', 'consent-revoked', 'Nobody Here', client_id, 404],
    ['an unknown application', 'consent-revoked', 'hanako', 'unknown', 400],
    ['no person', 'account-delete', ' ', client_id, 400],
  ])('refused for %s', async (_, event, user, id, status) => {
    expect((await change(event, user, id)).status).toBe(status)
  })

  test('an address that is not hidden is neither disabled nor enabled', async () => {
    await consent('Open Person')
    expect((await change('email-disabled', 'Open Person')).json).toMatchObject({ error: 'invalid_request' })
  })
})

test.each([
  ['public_key', { public_key: undefined }],
  ['public_key', { public_key: 'not a key' }],
  ['public_key', { public_key: { kty: 'EC', crv: 'P-384', x: 'a', y: 'b' } }],
  [
    'public_key',
    {
      public_key: generateKeyPairSync('ec', { namedCurve: 'P-384', privateKeyEncoding: pem, publicKeyEncoding: spki })
        .publicKey,
    },
  ],
  ['team_id', { team_id: undefined }],
  ['key_id', { key_id: '' }],
  ['notification_uri', { notification_uri: 'ftp://localhost/' }],
])('400 naming %s for a registration with %o', async (field, changes) => {
  const response = await register(simulator.url, { ...client, client_id: 'refused', ...changes })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error_description: expect.stringContaining(`${field}: `) })
})

test('a public key may be registered as a JWK', async () => {
  const public_key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  expect((await register(simulator.url, { ...client, client_id: 'with-jwk', public_key })).status).toBe(201)
})
