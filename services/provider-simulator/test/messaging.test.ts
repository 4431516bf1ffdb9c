import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as bodyOf } from 'node:stream/consumers'
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { address, get, locationOf, post, register, signIn, startSimulator, text } from './simulator.ts'

const client = {
  provider: 'messaging',
  client_id: '1650000001',
  client_secret: '0123456789abcdef0123456789abcdef',
  redirect_uris: ['http://localhost:9/callback?site=1'],
  official_account: true,
}
const without_account = { ...client, client_id: '1650000002', official_account: false }
const { client_id, client_secret } = client
const redirect_uri = 'http://localhost:9/callback?site=1'

let issuer: string
let token_endpoint: string
let simulator: Awaited<ReturnType<typeof startSimulator>>
beforeAll(async () => {
  simulator = await startSimulator()
  issuer = `${simulator.url}/messaging`
  token_endpoint = `${issuer}/oauth2/v2.1/token`
  await Promise.all([register(simulator.url, client), register(simulator.url, without_account)])
})
afterAll(() => simulator[Symbol.asyncDispose]())
afterEach(() => {
  vi.useRealTimers()
})

const request = { response_type: 'code', client_id, redirect_uri, state: 'abc123', scope: 'openid profile email' }

function authorization(changes: Record<string, string> = {}): string {
  return address(`${issuer}/oauth2/v2.1/authorize`, { ...request, ...changes })
}

async function codeFor(user: string, changes: Record<string, string> = {}): Promise<string> {
  const callback = await signIn(authorization(changes), { user })
  return text(callback.searchParams.get('code'))
}

function exchange(code: string, changes: Record<string, string> = {}) {
  return post(token_endpoint, {
    grant_type: 'authorization_code',
    ...{ code, redirect_uri, client_id, client_secret },
    ...changes,
  })
}

async function tokensFor(user: string, changes: Record<string, string> = {}) {
  const { json } = await exchange(await codeFor(user, changes), { client_id, ...changes })
  return { ...json, access_token: text(json.access_token), refresh_token: text(json.refresh_token) }
}

async function claimsFor(user: string, changes: Record<string, string> = {}) {
  const { json } = await exchange(await codeFor(user, changes))
  return decodeJwt(text(json.id_token))
}

const pass_seconds = (seconds: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })
}

describe('discovery', () => {
  test('names ES256 alone, though no web login is signed with it', async () => {
    const { json } = await get(`${issuer}/.well-known/openid-configuration`)
    expect(json).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oauth2/v2.1/authorize`,
      token_endpoint,
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
    })
    const { json: certs } = await get(text(json.jwks_uri))
    expect(certs).toEqual({ keys: [expect.objectContaining({ kty: 'EC', alg: 'ES256' })] })
  })
})

describe('ID Token', () => {
  test('is HS256 under the text of the client secret, with typ and alg alone in its header', async () => {
    const { json } = await exchange(await codeFor('Hanako Yamada', { nonce: 'n-1' }))
    const id_token = text(json.id_token)
    expect(decodeProtectedHeader(id_token)).toEqual({ typ: 'JWT', alg: 'HS256' })
    const { payload } = await jwtVerify(id_token, new TextEncoder().encode(client_secret), {
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

  test('holds auth_time only when max_age was sent', async () => {
    expect(await claimsFor('taro')).not.toHaveProperty('auth_time')
    expect(await claimsFor('taro', { max_age: '60' })).toMatchObject({ auth_time: expect.any(Number) })
  })

  test('holds name and picture only with profile, email only with email, and never email_verified', async () => {
    const claims = await claimsFor('taro', { scope: 'openid' })
    for (const claim of ['name', 'picture', 'email']) expect(claims).not.toHaveProperty(claim)
    expect(await claimsFor('taro')).not.toHaveProperty('email_verified')
    expect(await claimsFor('taro')).toMatchObject({ email: 'taro@messaging.example' })
  })

  test('is absent without the scope openid', async () => {
    expect(await tokensFor('taro', { scope: 'profile' })).not.toHaveProperty('id_token')
  })

  test('names the same account for the same name, and another for another', async () => {
    const [first, again, other] = await Promise.all([claimsFor('taro'), claimsFor(' taro '), claimsFor('jiro')])
    expect(again.sub).toBe(first.sub)
    expect(other.sub).not.toBe(first.sub)
  })
})

describe('authorization', () => {
  test.each([
    ['an unknown client_id', { client_id: 'unknown' }],
    ['an unregistered redirect_uri', { redirect_uri: 'http://localhost:9/callback' }],
    ['a redirect_uri with a fragment', { redirect_uri: `${redirect_uri}&a#b` }],
    ['bot_prompt without an official account', { client_id: without_account.client_id, bot_prompt: 'normal' }],
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
  ])('%o goes back with the upper-case error %s, a description and the state', async (changes, error) => {
    const callback = locationOf(await fetch(authorization(changes), { redirect: 'manual' }))
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      site: '1',
      error,
      error_description: expect.any(String),
      state: 'abc123',
    })
  })

  test('a missing state goes back as INVALID_REQUEST without one', async () => {
    const callback = locationOf(await fetch(authorization({ state: '' }), { redirect: 'manual' }))
    expect(callback.searchParams.get('error')).toBe('INVALID_REQUEST')
    expect(callback.searchParams.has('state')).toBe(false)
  })

  test('a repeated parameter goes back as INVALID_REQUEST', async () => {
    const callback = locationOf(await fetch(`${authorization()}&nonce=a&nonce=b`, { redirect: 'manual' }))
    expect(callback.searchParams.get('error')).toBe('INVALID_REQUEST')
  })

  test('consent goes back with code and state behind the query of the registered address', async () => {
    const callback = await signIn(authorization(), { user: 'taro' })
    expect(callback.href).toMatch(/^http:\/\/localhost:9\/callback\?site=1&code=[\w-]+&state=abc123$/)
  })

  test('denial goes back as ACCESS_DENIED with a description and the state', async () => {
    const callback = await signIn(authorization(), { decision: 'deny' })
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      site: '1',
      error: 'ACCESS_DENIED',
      error_description: expect.any(String),
      state: 'abc123',
    })
  })

  test('further parameters behind a registered redirect_uri are allowed, and come back', async () => {
    const longer = `${redirect_uri}&more=2`
    const callback = await signIn(authorization({ redirect_uri: longer }), { user: 'taro' })
    expect(callback.searchParams.get('more')).toBe('2')
    const { status } = await exchange(text(callback.searchParams.get('code')), { redirect_uri: longer })
    expect(status).toBe(200)
  })
})

describe('friendship', () => {
  const changed = async (user: string, changes: Record<string, string>, answers: Record<string, string> = {}) =>
    (await signIn(authorization(changes), { user, ...answers })).searchParams.get('friendship_status_changed')
  const flag = async (user: string) =>
    (await get(`${issuer}/friendship/v1/status`, (await tokensFor(user)).access_token)).json

  test('friendship_status_changed is absent when bot_prompt was not sent', async () => {
    expect(await changed('fumi', {})).toBeNull()
    expect(await changed('fumi', {}, { option: 'yes' })).toBeNull()
    expect(await flag('fumi')).toEqual({ friendFlag: false })
  })

  test.each(['normal', 'aggressive'])('with bot_prompt %s it says whether this login made a friend', async (mode) => {
    const user = `friend ${mode}`
    expect(await changed(user, { bot_prompt: mode })).toBe('false')
    expect(await flag(user)).toEqual({ friendFlag: false })
    expect(await changed(user, { bot_prompt: mode }, { option: 'yes' })).toBe('true')
    expect(await flag(user)).toEqual({ friendFlag: true })
    expect(await changed(user, { bot_prompt: mode }, { option: 'yes' })).toBe('false')
  })

  test('a person who adds the official account or blocks it is told to the webhook, signed', async () => {
    const told: { body: string; signature: string | undefined }[] = []
    const server = createServer(async (request, response) => {
      const signature = request.headers['x-line-signature']
      told.push({ body: await bodyOf(request), signature: signature === undefined ? undefined : String(signature) })
      response.writeHead(202).end()
    }).listen(0)
    await once(server, 'listening')
    // Listening on a port.
    const { port } = server.address() as AddressInfo
    const webhook_secret = 'secret-of-the-messaging-api'
    const told_client = { ...client, client_id: '1650000003', webhook_uri: `http://localhost:${port}/`, webhook_secret }
    await register(simulator.url, told_client)
    const befriend = async (friend: unknown, of = told_client.client_id) => {
      const body = JSON.stringify({ client_id: of, user: 'fumi', friend })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${issuer}/friends`, { method: 'POST', headers, body })
      return { status: response.status, json: await response.json() }
    }

    for (const friend of [true, false, true])
      expect(await befriend(friend)).toEqual({ status: 200, json: { changed: true, webhook_status: 202 } })
    expect(await befriend(true)).toEqual({ status: 200, json: { changed: false, webhook_status: null } })
    const { access_token } = await tokensFor('fumi', { client_id: told_client.client_id })
    expect((await get(`${issuer}/friendship/v1/status`, access_token)).json).toEqual({ friendFlag: true })

    for (const { body, signature } of told)
      expect(signature).toBe(createHmac('sha256', webhook_secret).update(body).digest('base64'))
    const source = { type: 'user', userId: expect.stringMatching(/^U[0-9a-f]{32}$/) }
    const timestamp = expect.any(Number)
    expect(told.map(({ body }) => JSON.parse(body))).toMatchObject([
      { events: [{ type: 'follow', follow: { isUnblocked: false }, source, timestamp }] },
      { events: [{ type: 'unfollow', source, timestamp }] },
      { events: [{ type: 'follow', follow: { isUnblocked: true }, source, timestamp }] },
    ])

    expect((await befriend('yes')).status).toBe(400)
    expect((await befriend(true, without_account.client_id)).status).toBe(400)
    server.close()
    expect(await befriend(false)).toEqual({ status: 200, json: { changed: true, webhook_status: null } })
  })

  test('400 with a message when the channel has no official account', async () => {
    const { access_token } = await tokensFor('taro', { client_id: without_account.client_id })
    const { status, json } = await get(`${issuer}/friendship/v1/status`, access_token)
    expect({ status, json }).toEqual({
      status: 400,
      json: { message: 'There is no login bot linked to this channel.' },
    })
  })
})

describe('token endpoint', () => {
  test('answers tokens for 30 days, and a scope that never lists email', async () => {
    const { json } = await exchange(await codeFor('taro'))
    expect(json).toEqual({
      access_token: expect.any(String),
      expires_in: 2_592_000,
      id_token: expect.any(String),
      refresh_token: expect.any(String),
      scope: 'openid profile',
      token_type: 'Bearer',
    })
  })

  test('a code works once', async () => {
    const code = await codeFor('taro')
    expect((await exchange(code)).status).toBe(200)
    expect(await exchange(code)).toEqual({
      status: 400,
      json: { error: 'invalid_grant', error_description: 'invalid authorization code' },
    })
  })

  test('a code lives ten minutes', async () => {
    const [in_time, late] = [await codeFor('taro'), await codeFor('taro')]
    pass_seconds(595)
    expect((await exchange(in_time)).status).toBe(200)
    pass_seconds(10)
    expect((await exchange(late)).json.error).toBe('invalid_grant')
  })

  test('400 when redirect_uri is not the one sent, be it only that its query was removed', async () => {
    const { status, json } = await exchange(await codeFor('taro'), { redirect_uri: 'http://localhost:9/callback' })
    expect({ status, json }).toEqual({
      status: 400,
      json: { error: 'invalid_grant', error_description: 'redirect_uri does not match' },
    })
  })

  test('a challenge of S256 needs its verifier', async () => {
    const code_verifier = 'v'.repeat(50)
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const challenged = () => codeFor('taro', { code_challenge, code_challenge_method: 'S256' })
    expect((await exchange(await challenged(), { code_verifier })).status).toBe(200)
    expect((await exchange(await challenged(), { code_verifier: code_challenge })).json.error).toBe('invalid_grant')
    expect((await exchange(await challenged())).json.error).toBe('invalid_request')
  })

  test('the client secret counts in the form body alone', async () => {
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
    const fields = { grant_type: 'authorization_code', code: await codeFor('taro'), redirect_uri }
    const headers = { authorization: `Basic ${basic}` }
    expect((await post(token_endpoint, fields, headers)).json.error).toBe('invalid_request')
    expect((await post(token_endpoint, { ...fields, client_id }, headers)).json.error).toBe('invalid_request')
    expect((await post(token_endpoint, { ...fields, client_id, client_secret })).status).toBe(200)
  })

  test.each([
    [{ client_secret: 'wrong' }, 'invalid_client'],
    [{ client_id: 'unknown' }, 'invalid_client'],
    [{ client_id: without_account.client_id }, 'invalid_grant'],
    [{ code: 'unknown' }, 'invalid_grant'],
    [{ code: '' }, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
  ])('400 with the lower-case error for %o: %s', async (changes, error) => {
    const { status, json } = await exchange(await codeFor('taro'), changes)
    expect({ status, json }).toEqual({ status: 400, json: { error, error_description: expect.any(String) } })
  })

  test('400 invalid_request for a body that is not a form', async () => {
    const response = await fetch(token_endpoint, { method: 'POST', body: '{}' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })
})

describe('refresh', () => {
  const refresh = (refresh_token: string) =>
    post(token_endpoint, { grant_type: 'refresh_token', refresh_token, client_id, client_secret })

  test('answers a new access token, the same refresh token and no ID Token', async () => {
    const tokens = await tokensFor('taro')
    const { json } = await refresh(tokens.refresh_token)
    expect(json).toEqual({
      access_token: expect.any(String),
      expires_in: 2_592_000,
      refresh_token: tokens.refresh_token,
      scope: 'openid profile',
      token_type: 'Bearer',
    })
    expect(json.access_token).not.toBe(tokens.access_token)
  })

  test('does not put off the end of the refresh token, 90 days after its issue', async () => {
    const { refresh_token } = await tokensFor('taro')
    pass_seconds(89 * 86_400)
    expect((await refresh(refresh_token)).status).toBe(200)
    pass_seconds(2 * 86_400)
    expect(await refresh(refresh_token)).toEqual({
      status: 400,
      json: { error: 'invalid_grant', error_description: 'invalid refresh token' },
    })
  })
})

describe('verify', () => {
  const verify = (fields: Record<string, string>) => post(`${issuer}/oauth2/v2.1/verify`, { client_id, ...fields })

  test('GET tells scope without email, client and seconds left of an access token', async () => {
    const { access_token } = await tokensFor('taro')
    const { json } = await get(`${issuer}/oauth2/v2.1/verify?access_token=${access_token}`)
    expect(json).toEqual({ scope: 'openid profile', client_id, expires_in: 2_592_000 })
  })

  test('GET answers 400 "access token expired" after 30 days', async () => {
    const { access_token } = await tokensFor('taro')
    pass_seconds(2_592_001)
    expect(await get(`${issuer}/oauth2/v2.1/verify?access_token=${access_token}`)).toMatchObject({
      status: 400,
      json: { error: 'invalid_request', error_description: 'access token expired' },
    })
  })

  test('POST answers the claims of an ID Token', async () => {
    const { json } = await exchange(await codeFor('taro', { nonce: 'n-1' }))
    const id_token = text(json.id_token)
    const claims = decodeJwt(id_token)
    const answer = await verify({ id_token, nonce: 'n-1', user_id: text(claims.sub) })
    expect(answer).toEqual({ status: 200, json: claims })
  })

  test('POST answers 400 invalid_request saying what is wrong', async () => {
    const { json } = await exchange(await codeFor('taro', { nonce: 'n-1' }))
    const id_token = text(json.id_token)
    const signed = (claims: object, secret = client_secret) =>
      new SignJWT({ ...decodeJwt(id_token), ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(secret))
    const said = async (fields: Record<string, string>) => {
      const { status, json: answer } = await verify({ id_token, ...fields })
      expect({ status, error: answer.error }).toEqual({ status: 400, error: 'invalid_request' })
      return answer.error_description
    }
    expect(await said({ nonce: 'other' })).toBe('Invalid IdToken Nonce.')
    expect(await said({ user_id: 'Uother' })).toBe('Invalid IdToken Subject Identifier.')
    expect(await said({ client_id: without_account.client_id })).toBe('Invalid IdToken Audience.')
    expect(await said({ id_token: 'rubbish' })).toBe('Invalid IdToken.')
    expect(await said({ id_token: await signed({}, 'another-secret-another-secret-00') })).toBe('Invalid IdToken.')
    expect(await said({ id_token: await signed({ iss: 'https://other.example' }) })).toBe('Invalid IdToken Issuer.')
    expect(await said({ id_token: await signed({ exp: 1 }) })).toBe('IdToken expired.')
  })
})

describe('resources', () => {
  test.each(['GET', 'POST'])('userinfo by %s tells sub, name and picture, and no e-mail address', async (method) => {
    const { access_token } = await tokensFor('Hanako Yamada')
    const response = await fetch(`${issuer}/oauth2/v2.1/userinfo`, {
      method,
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect(await response.json()).toEqual({
      sub: expect.stringMatching(/^U[0-9a-f]{32}$/),
      name: 'Hanako Yamada',
      picture: expect.any(String),
    })
  })

  test('profile tells userId, displayName, pictureUrl and statusMessage', async () => {
    const { access_token } = await tokensFor('Hanako Yamada')
    const [profile, userinfo] = await Promise.all([
      get(`${issuer}/v2/profile`, access_token),
      get(`${issuer}/oauth2/v2.1/userinfo`, access_token),
    ])
    expect(profile.json).toEqual({
      userId: userinfo.json.sub,
      displayName: 'Hanako Yamada',
      pictureUrl: userinfo.json.picture,
      statusMessage: expect.any(String),
    })
  })

  test.each(['/v2/profile', '/friendship/v1/status', '/oauth2/v2.1/userinfo'])(
    '%s: 401 with a message and a request id for a wrong token',
    async (path) => {
      const { status, json, headers } = await get(`${issuer}${path}`, 'wrong')
      expect({ status, json }).toEqual({ status: 401, json: { message: expect.any(String) } })
      expect(headers.get('x-line-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  test('403 with a message for a token without the scope', async () => {
    const openid = await tokensFor('taro', { scope: 'openid' })
    const profile = await tokensFor('taro', { scope: 'profile' })
    const answers = await Promise.all([
      get(`${issuer}/v2/profile`, openid.access_token),
      get(`${issuer}/friendship/v1/status`, openid.access_token),
      get(`${issuer}/oauth2/v2.1/userinfo`, profile.access_token),
    ])
    for (const { status, json } of answers) {
      expect({ status, json }).toEqual({ status: 403, json: { message: expect.any(String) } })
    }
  })
})

describe('deauthorize', () => {
  const channelToken = async (changes: Record<string, string> = {}) => {
    const form = { grant_type: 'client_credentials', client_id, client_secret, ...changes }
    return post(`${issuer}/oauth2/v3/token`, form)
  }
  const deauthorize = async (channel_token: unknown, userAccessToken: string) => {
    const response = await fetch(`${issuer}/user/v1/deauthorize`, {
      method: 'POST',
      headers: { authorization: `Bearer ${channel_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userAccessToken }),
    })
    return { status: response.status, body: await response.text() }
  }

  test('withdraws the consent with every token of it, once; the next login is a new consent', async () => {
    const [first, second] = [await tokensFor('leaver'), await tokensFor('leaver')]
    const { status, json } = await channelToken()
    expect({ status, json }).toMatchObject({ status: 200, json: { token_type: 'Bearer', expires_in: 900 } })
    expect(await deauthorize(json.access_token, first.access_token)).toEqual({ status: 204, body: '' })
    expect((await get(`${issuer}/v2/profile`, second.access_token)).status).toBe(401)
    const refresh = { grant_type: 'refresh_token', refresh_token: second.refresh_token, client_id, client_secret }
    expect((await post(token_endpoint, refresh)).status).toBe(400)
    const again = await deauthorize(json.access_token, first.access_token)
    expect(again).toEqual({ status: 400, body: '{"message":"invalid token"}' })
    const { access_token } = await tokensFor('leaver')
    expect((await get(`${issuer}/v2/profile`, access_token)).status).toBe(200)
  })

  test('needs a channel token, which the channel gets with its secret for 15 minutes', async () => {
    const { access_token } = await tokensFor('taro')
    expect((await channelToken({ client_secret: 'wrong' })).status).toBe(400)
    expect((await channelToken({ grant_type: 'refresh_token' })).status).toBe(400)
    expect((await deauthorize(access_token, access_token)).status).toBe(401)
    const { json } = await channelToken()
    pass_seconds(901)
    expect((await deauthorize(json.access_token, access_token)).status).toBe(401)
  })

  test('leaves the people of other channels alone', async () => {
    const { access_token } = await tokensFor('taro')
    const { json } = await channelToken({ client_id: without_account.client_id })
    expect((await deauthorize(json.access_token, access_token)).status).toBe(400)
    expect((await get(`${issuer}/v2/profile`, access_token)).status).toBe(200)
  })
})

describe('revoke', () => {
  const revoke = (fields: Record<string, string>) =>
    fetch(`${issuer}/oauth2/v2.1/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id, client_secret, ...fields }),
    })

  test('ends the token named by access_token, with 200 and an empty body, and no other', async () => {
    const [first, second] = [await tokensFor('taro'), await tokensFor('taro')]
    const response = await revoke({ access_token: first.access_token })
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 200, body: '' })
    expect((await get(`${issuer}/v2/profile`, first.access_token)).status).toBe(401)
    expect((await get(`${issuer}/v2/profile`, second.access_token)).status).toBe(200)
  })

  test('does not know the field token', async () => {
    const { access_token } = await tokensFor('taro')
    expect((await revoke({ token: access_token })).status).toBe(400)
    expect((await get(`${issuer}/v2/profile`, access_token)).status).toBe(200)
  })

  test('needs the client secret, and leaves the tokens of other clients alone', async () => {
    const { access_token } = await tokensFor('taro')
    expect((await revoke({ access_token, client_secret: 'wrong' })).status).toBe(400)
    await revoke({ access_token, client_id: without_account.client_id })
    expect((await get(`${issuer}/v2/profile`, access_token)).status).toBe(200)
  })
})
