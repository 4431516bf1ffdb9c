import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { oauth1Signature, percentEncode } from '#http'
import { behave, endBehaviours } from './behaviours.ts'
import { address, get, post, register, signIn, startSimulator, text } from './simulator.ts'

const redirect_uri = 'http://localhost:9/callback'
const client_id = 'xvz1evFS4wEEPTGEFPHBog'
const client_secret = "-kAcSOqF+21Fu/85e7z:jz7'Z"
const client = { provider: 'microblog', client_id, client_secret, redirect_uris: [redirect_uri] }

let base: string
let simulator: Awaited<ReturnType<typeof startSimulator>>
beforeAll(async () => {
  simulator = await startSimulator()
  base = `${simulator.url}/microblog`
  await Promise.all([
    register(simulator.url, client),
    register(simulator.url, { ...client, client_id: 'other' }),
    register(simulator.url, { ...client, client_id: 'version-2-alone', api_v1: false }),
  ])
})
afterAll(() => simulator[Symbol.asyncDispose]())
afterEach(() => {
  vi.useRealTimers()
})

const pass_seconds = (seconds: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })
}

interface Token {
  readonly token: string
  readonly secret: string
}

/** A signed call as a client makes it; `protocol` adds to or replaces its parameters before they are signed. */
async function signed(
  method: string,
  path: string,
  { token, protocol = {} }: { token?: Token; protocol?: Record<string, string> } = {},
) {
  const url = base + path
  const parameters = {
    oauth_consumer_key: client_id,
    oauth_nonce: randomBytes(16).toString('hex'),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1_000)),
    oauth_version: '1.0',
    ...(token && { oauth_token: token.token }),
    ...protocol,
  }
  const all = [...new URL(url).searchParams, ...Object.entries(parameters)]
  const secrets = { client_secret, token_secret: token?.secret ?? '' }
  const oauth_signature = oauth1Signature({ method, url, parameters: all }, secrets)
  return send(method, path, { oauth_signature, ...parameters })
}

async function send(method: string, path: string, parameters: Record<string, string>) {
  const fields = Object.entries(parameters).map(([name, value]) => `${name}="${percentEncode(value)}"`)
  const headers = { authorization: `OAuth ${fields.join(', ')}` }
  const response = await fetch(base + path, { method, headers })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

const error = (status: number, code: number) => ({
  status,
  json: { errors: [{ code, message: expect.any(String) }] },
})
const jsonOf = ({ status, text }: { status: number; text: string }) => ({ status, json: JSON.parse(text) })

async function requestToken(oauth_callback = `${redirect_uri}?state=s-1`, protocol: Record<string, string> = {}) {
  const answer = await signed('POST', '/oauth/request_token', { protocol: { oauth_callback, ...protocol } })
  expect(answer.status, answer.text).toBe(200)
  const form = new URLSearchParams(answer.text)
  return { token: form.get('oauth_token') ?? '', secret: form.get('oauth_token_secret') ?? '' }
}

const authentication = (oauth_token: string) => address(`${base}/oauth/authenticate`, { oauth_token })

async function agreed(user: string, protocol: Record<string, string> = {}) {
  const request = await requestToken(undefined, protocol)
  const callback = await signIn(authentication(request.token), { user })
  return { request, oauth_verifier: text(callback.searchParams.get('oauth_verifier')) }
}

async function accessFor(user: string, protocol: Record<string, string> = {}) {
  const { request, oauth_verifier } = await agreed(user, protocol)
  const answer = await signed('POST', '/oauth/access_token', {
    token: request,
    protocol: { ...protocol, oauth_verifier },
  })
  expect(answer.status, answer.text).toBe(200)
  const { oauth_token = '', oauth_token_secret = '', ...person } = Object.fromEntries(new URLSearchParams(answer.text))
  return { token: oauth_token, secret: oauth_token_secret, ...person }
}

const account = '/1.1/account/verify_credentials.json'

describe('OAuth 1.0a', () => {
  test('a request token comes as a form that is called HTML, and says that the callback counts', async () => {
    const protocol = { oauth_callback: redirect_uri }
    const { status, type, text: form } = await signed('POST', '/oauth/request_token', { protocol })
    expect({ status, type }).toEqual({ status: 200, type: 'text/html; charset=utf-8' })
    expect(Object.fromEntries(new URLSearchParams(form))).toEqual({
      oauth_token: expect.stringMatching(/^[\w-]{20,}$/),
      oauth_token_secret: expect.stringMatching(/^[\w-]{20,}$/),
      oauth_callback_confirmed: 'true',
    })
  })

  test('a person who agrees comes back with the request token and a verifier beside the callback’s own query', async () => {
    const { token } = await requestToken()
    const callback = await signIn(authentication(token), { user: 'hanako' })
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      state: 's-1',
      oauth_token: token,
      oauth_verifier: expect.stringMatching(/.{16}/),
    })
  })

  test('a person who denies comes back with the request token as `denied` alone', async () => {
    const { token } = await requestToken()
    const callback = await signIn(authentication(token), { decision: 'deny' })
    expect(Object.fromEntries(callback.searchParams)).toEqual({ state: 's-1', denied: token })
  })

  test('the access token is the same at every login of a person until it is invalidated, and has no end', async () => {
    const first = await accessFor('Hanako Yamada')
    expect(first).toEqual({
      token: expect.stringMatching(/^\d{19}-/),
      secret: expect.stringMatching(/.{32}/),
      user_id: first.token?.split('-')[0],
      screen_name: expect.stringMatching(/^HanakoYa_\w{6}$/),
    })
    expect(await accessFor('Hanako Yamada')).toEqual(first)
    expect((await accessFor('Taro')).token).not.toBe(first.token)
    pass_seconds(400 * 86_400)
    expect((await signed('GET', account, { token: first })).status).toBe(200)
  })

  test('invalidated, the token is over, and the next login gives another', async () => {
    const token = await accessFor('Gone')
    const invalidate = () => signed('POST', '/1.1/oauth/invalidate_token.json', { token })
    expect(jsonOf(await invalidate())).toEqual({ status: 200, json: { access_token: token.token } })
    expect(jsonOf(await invalidate())).toEqual(error(401, 89))
    expect(jsonOf(await signed('GET', account, { token }))).toEqual(error(401, 89))
    expect((await accessFor('Gone')).token).not.toBe(token.token)
  })

  test('version 1.1 tells the account, the e-mail address only when asked', async () => {
    const token = await accessFor('Ada King')
    const { json } = jsonOf(await signed('GET', `${account}?include_email=true`, { token }))
    expect(json).toMatchObject({
      id_str: token.token.split('-')[0],
      name: 'Ada King',
      screen_name: expect.stringMatching(/^AdaKing_/),
      email: expect.stringMatching(/@microblog\.example$/),
      followers_count: expect.any(Number),
      friends_count: expect.any(Number),
      profile_image_url_https: expect.stringMatching(/\.svg$/),
      entities: { url: { urls: [{ expanded_url: expect.stringMatching(/^https:\/\/blog\.example\//) }] } },
    })
    expect(String(json.id)).not.toBe(json.id_str)
    const without = jsonOf(await signed('GET', `${account}?include_email=false&include_entities=false`, { token }))
    expect(without.json).not.toHaveProperty('email')
    expect(without.json).not.toHaveProperty('entities')
  })

  test('version 1.1 is closed to an application whose plan has it not, which version 2 answers', async () => {
    const protocol = { oauth_consumer_key: 'version-2-alone' }
    const token = await accessFor('Ada King', protocol)
    expect(jsonOf(await signed('GET', account, { token, protocol }))).toEqual(error(403, 453))
    const { status, json } = jsonOf(await signed('GET', '/2/users/me?user.fields=confirmed_email', { token, protocol }))
    expect({ status, json }).toMatchObject({ status: 200, json: { data: { name: 'Ada King' } } })
  })
})

describe('a signature', () => {
  test.each<[string, number, number, Record<string, string>]>([
    ['of an unknown client', 401, 32, { oauth_consumer_key: 'nobody' }],
    ['by another method', 401, 32, { oauth_signature_method: 'PLAINTEXT' }],
    ['of another version', 401, 32, { oauth_version: '2.0' }],
    ['without nonce', 401, 32, { oauth_nonce: '' }],
    ['with a timestamp that is none', 401, 135, { oauth_timestamp: 'now' }],
    ['made five minutes ago', 401, 135, { oauth_timestamp: String(Math.floor(Date.now() / 1_000) - 330) }],
    ['of a later time', 401, 135, { oauth_timestamp: String(Math.floor(Date.now() / 1_000) + 330) }],
    ['with a token where there is none yet', 401, 89, { oauth_token: 'made-up' }],
    ['that is wrong', 401, 32, { oauth_signature: 'AAAA' }],
    ['that is empty', 401, 32, { oauth_signature: '' }],
    ['for a callback that is not registered', 403, 415, { oauth_callback: 'https://evil.example/' }],
    ['for a callback below the registered one', 403, 415, { oauth_callback: `${redirect_uri}/more` }],
    ['for a callback with a fragment', 403, 415, { oauth_callback: `${redirect_uri}#x` }],
    ['for the callback out of band', 403, 415, { oauth_callback: 'oob' }],
  ])('%s is refused with %i, code %i', async (_, status, code, changes) => {
    const protocol = { oauth_callback: redirect_uri, ...changes }
    expect(jsonOf(await signed('POST', '/oauth/request_token', { protocol }))).toEqual(error(status, code))
  })

  test('of a request without a callback is refused', async () => {
    expect(jsonOf(await signed('POST', '/oauth/request_token'))).toEqual(error(403, 415))
  })

  test('counts once', async () => {
    const parameters = {
      ...{ oauth_consumer_key: client_id, oauth_signature_method: 'HMAC-SHA1', oauth_nonce: 'once' },
      ...{ oauth_timestamp: String(Math.floor(Date.now() / 1_000)), oauth_callback: redirect_uri },
    }
    const url = `${base}/oauth/request_token`
    const request = { method: 'POST', url, parameters: Object.entries(parameters) }
    const oauth_signature = oauth1Signature(request, { client_secret, token_secret: '' })
    const again = () => send('POST', '/oauth/request_token', { ...parameters, oauth_signature })
    expect((await again()).status).toBe(200)
    expect(jsonOf(await again())).toEqual(error(401, 32))
  })

  test('covers the query', async () => {
    const token = await accessFor('hanako')
    const parameters = {
      ...{ oauth_consumer_key: client_id, oauth_signature_method: 'HMAC-SHA1', oauth_nonce: 'of-the-query' },
      ...{ oauth_timestamp: String(Math.floor(Date.now() / 1_000)), oauth_token: token.token },
    }
    const request = { method: 'GET', url: base + account, parameters: Object.entries(parameters) }
    const oauth_signature = oauth1Signature(request, { client_secret, token_secret: token.secret })
    const answer = await send('GET', `${account}?include_email=true`, { ...parameters, oauth_signature })
    expect(jsonOf(answer)).toEqual(error(401, 32))
  })

  test.each(['', 'Basic x', 'OAuth', 'OAuth oauth_nonce=1', 'OAuth oauth_nonce="%zz"', 'OAuth a="1", a="2"'])(
    'is missing: "%s"',
    async (authorization) => {
      const response = await fetch(`${base}/oauth/request_token`, { method: 'POST', headers: { authorization } })
      expect({ status: response.status, json: await response.json() }).toEqual(error(400, 215))
    },
  )

  test('of another client does not open a token', async () => {
    const token = await accessFor('hanako')
    const answer = await signed('GET', account, { token, protocol: { oauth_consumer_key: 'other' } })
    expect(jsonOf(answer)).toEqual(error(401, 89))
  })
})

describe('a request token', () => {
  const exchange = (token: Token, protocol: Record<string, string>) =>
    signed('POST', '/oauth/access_token', { token, protocol }).then(jsonOf)

  test('is good for one access token', async () => {
    const { request, oauth_verifier } = await agreed('hanako')
    expect((await signed('POST', '/oauth/access_token', { token: request, protocol: { oauth_verifier } })).status).toBe(
      200,
    )
    expect(await exchange(request, { oauth_verifier })).toEqual(error(401, 89))
  })

  test.each(['', 'made-up'])('is refused, and over, with the verifier "%s"', async (wrong) => {
    const { request, oauth_verifier } = await agreed('hanako')
    expect(await exchange(request, { oauth_verifier: wrong })).toEqual(error(401, 32))
    expect(await exchange(request, { oauth_verifier })).toEqual(error(401, 89))
  })

  test('is refused with the verifier of another', async () => {
    const [mine, other] = [await agreed('hanako'), await agreed('mallory')]
    expect(await exchange(mine.request, { oauth_verifier: other.oauth_verifier })).toEqual(error(401, 32))
  })

  test('is refused before anybody agreed, and of another client', async () => {
    expect(await exchange(await requestToken(), { oauth_verifier: 'x' })).toEqual(error(401, 32))
    const { request, oauth_verifier } = await agreed('hanako')
    const refused = await exchange(request, { oauth_verifier, oauth_consumer_key: 'other' })
    expect(refused).toEqual(error(401, 32))
  })

  test('that is unknown, used or too old shows a page', async () => {
    const { request } = await agreed('hanako')
    const { token: old } = await requestToken()
    pass_seconds(901)
    for (const token of ['made-up', request.token, old]) {
      const response = await fetch(authentication(token))
      expect(response.status).toBe(403)
      expect(await response.text()).toContain('This page is no longer valid')
    }
  })
})

describe('OAuth 2.0', () => {
  const code_verifier = 'v'.repeat(43)
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const asked = {
    ...{ response_type: 'code', client_id, redirect_uri, state: 's-1', code_challenge, code_challenge_method: 'S256' },
    scope: 'users.read tweet.read users.email offline.access',
  }
  const authorization = (changes: Record<string, string> = {}) =>
    address(`${base}/i/oauth2/authorize`, { ...asked, ...changes })
  const raw = (secret = client_secret, id = client_id) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  })
  const codeFor = async (changes: Record<string, string> = {}) =>
    text((await signIn(authorization(changes), { user: 'Ada King' })).searchParams.get('code'))
  const exchange = (code: string, changes: Record<string, string> = {}, headers = raw()) =>
    post(
      `${base}/2/oauth2/token`,
      { grant_type: 'authorization_code', code, redirect_uri, code_verifier, ...changes },
      headers,
    )
  const refresh = (refresh_token: string) =>
    post(`${base}/2/oauth2/token`, { grant_type: 'refresh_token', refresh_token }, raw())
  const tokensFor = async (changes: Record<string, string> = {}) => (await exchange(await codeFor(changes))).json
  const invalid = { status: 400, json: { error: 'invalid_request', error_description: expect.any(String) } }
  const me = (token: string) => get(`${base}/2/users/me?user.fields=confirmed_email,public_metrics`, token)

  test('a code gives a token for two hours; a refresh token comes with offline.access alone', async () => {
    expect(await tokensFor()).toEqual({
      token_type: 'bearer',
      expires_in: 7_200,
      access_token: expect.stringMatching(/.{80}/),
      scope: asked.scope,
      refresh_token: expect.stringMatching(/.{80}/),
    })
    expect(await tokensFor({ scope: 'users.read tweet.read' })).not.toHaveProperty('refresh_token')
  })

  test.each([
    ['without PKCE', { code_challenge: '' }],
    ['with a challenge that is too short', { code_challenge: 'short' }],
    ['with another method', { code_challenge_method: 'S512' }],
    ['without state', { state: '' }],
    ['with a state that is too long', { state: 'x'.repeat(501) }],
    ['without scope', { scope: '' }],
    ['for an unknown scope', { scope: 'users.read gold' }],
    ['of an unknown client', { client_id: 'nobody' }],
    ['for a callback with a query that is not registered', { redirect_uri: `${redirect_uri}?x=1` }],
    ['for a token', { response_type: 'token' }],
  ])('a request %s ends in a page', async (_, changes) => {
    const response = await fetch(authorization(changes), { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('Something went wrong')
  })

  test('a person who denies is told as access_denied', async () => {
    const callback = await signIn(authorization(), { decision: 'deny' })
    expect(Object.fromEntries(callback.searchParams)).toEqual({ error: 'access_denied', state: 's-1' })
  })

  test('a code is good once, for thirty seconds, with its verifier and its redirect_uri', async () => {
    const used = await codeFor()
    expect((await exchange(used)).status).toBe(200)
    expect(await exchange(used)).toEqual(invalid)
    expect(await exchange(await codeFor(), { code_verifier: 'w'.repeat(43) })).toEqual(invalid)
    expect(await exchange(await codeFor(), { code_verifier: '' })).toEqual(invalid)
    expect(await exchange(await codeFor(), { redirect_uri: 'http://localhost:9/other' })).toEqual(invalid)
    expect(await exchange(await codeFor(), {}, raw(client_secret, 'other'))).toEqual(invalid)
    const slow = await codeFor()
    pass_seconds(31)
    expect(await exchange(slow)).toEqual(invalid)
  })

  test('the plain challenge is taken too', async () => {
    const code = await codeFor({ code_challenge: code_verifier, code_challenge_method: 'plain' })
    expect((await exchange(code)).status).toBe(200)
  })

  test('id and secret count in Basic authentication as they stand, and nowhere else', async () => {
    const code = await codeFor()
    const encoded = await exchange(code, {}, raw(encodeURIComponent(client_secret)))
    expect(encoded).toMatchObject({ status: 401, json: { error: 'invalid_client' } })
    const by_form = await post(`${base}/2/oauth2/token`, {
      ...{ grant_type: 'authorization_code', code, redirect_uri, code_verifier, client_id, client_secret },
    })
    expect(by_form).toMatchObject({ status: 401, json: { error: 'unauthorized_client' } })
    expect((await exchange(code)).status).toBe(200)
  })

  test('a refresh token is replaced at every use', async () => {
    const { refresh_token } = await tokensFor()
    const { json: renewed } = await refresh(text(refresh_token))
    expect(renewed.refresh_token).not.toBe(refresh_token)
    expect((await me(text(renewed.access_token))).status).toBe(200)
    expect(await refresh(text(refresh_token))).toEqual(invalid)
    expect((await refresh(text(renewed.refresh_token))).status).toBe(200)
  })

  test('the account comes below `data`; a field beyond the scopes is an error beside it', async () => {
    const { json } = await me(text((await tokensFor()).access_token))
    expect(json).toEqual({
      data: {
        ...{ id: expect.stringMatching(/^\d{19}$/), name: 'Ada King', username: expect.stringMatching(/^AdaKing_/) },
        public_metrics: expect.objectContaining({ followers_count: expect.any(Number) }),
        confirmed_email: expect.stringMatching(/@microblog\.example$/),
      },
    })
    const limited = await me(text((await tokensFor({ scope: 'users.read tweet.read' })).access_token))
    expect(limited).toMatchObject({ status: 200, json: { errors: [{ field: 'confirmed_email' }] } })
    expect(limited.json.data).not.toHaveProperty('confirmed_email')
  })

  test('the account is told to a token of both scopes while it lives', async () => {
    const problem = (status: number) => ({ status, json: { type: 'about:blank', status } })
    expect(await me(text((await tokensFor({ scope: 'users.read' })).access_token))).toMatchObject(problem(403))
    expect(await me('made-up')).toMatchObject(problem(401))
    expect(await get(`${base}/2/users/me`)).toMatchObject(problem(401))
    const { access_token } = await tokensFor()
    pass_seconds(7_201)
    expect(await me(text(access_token))).toMatchObject(problem(401))
  })

  test('a token is revoked by its own client alone, as often as it likes', async () => {
    const { access_token, refresh_token } = await tokensFor()
    const revoke = (token: unknown, headers = raw()) => post(`${base}/2/oauth2/revoke`, { token: text(token) }, headers)
    await revoke(access_token, raw(client_secret, 'other'))
    expect((await me(text(access_token))).status).toBe(200)
    for (const token of [access_token, access_token, refresh_token]) {
      expect(await revoke(token)).toEqual({ status: 200, json: { revoked: true } })
    }
    expect((await me(text(access_token))).status).toBe(401)
    expect(await refresh(text(refresh_token))).toEqual(invalid)
  })

  test('tells of the same person as OAuth 1.0a', async () => {
    const { json } = await me(text((await tokensFor()).access_token))
    const { token } = await accessFor('Ada King')
    expect(json).toMatchObject({ data: { id: token.split('-')[0] } })
  })

  describe('behaviours', () => {
    afterEach(() => endBehaviours(simulator.url))
    const choose = (behaviour: string, options: object = {}) =>
      behave(simulator.url, { behaviour, name: 'Ada King', ...options })

    test.each(['revoked', 'account_deleted'])('%s: no token works any more', async (behaviour) => {
      const { access_token, refresh_token } = await tokensFor()
      const token = await accessFor('Ada King')
      await choose(behaviour)
      expect((await me(text(access_token))).status).toBe(401)
      expect(await refresh(text(refresh_token))).toEqual(invalid)
      expect(jsonOf(await signed('GET', account, { token }))).toEqual(error(401, 89))
    })

    test('a new login after consent was withdrawn gives other tokens, which work', async () => {
      const old = await accessFor('Ada King')
      await choose('revoked')
      pass_seconds(1)
      const token = await accessFor('Ada King')
      expect(token.token).not.toBe(old.token)
      expect((await signed('GET', account, { token })).status).toBe(200)
      expect((await me(text((await tokensFor()).access_token))).status).toBe(200)
    })

    test.each(['no_email', 'unverified_email'])(
      '%s: no address is told, as only confirmed ones are',
      async (behaviour) => {
        await choose(behaviour)
        const { json } = await me(text((await tokensFor()).access_token))
        expect(json.data).toHaveProperty('public_metrics')
        expect(json.data).not.toHaveProperty('confirmed_email')
        const signed_call = { token: await accessFor('Ada King') }
        const told = await signed('GET', `${account}?include_email=true`, signed_call)
        expect(JSON.parse(told.text)).not.toHaveProperty('email')
      },
    )

    test('short access tokens are those of OAuth 2.0; those of OAuth 1.0a have no end', async () => {
      await choose('short_access_tokens', { seconds: 20 })
      const { access_token, expires_in } = await tokensFor()
      const token = await accessFor('Ada King')
      expect(expires_in).toBe(20)
      pass_seconds(21)
      expect((await me(text(access_token))).status).toBe(401)
      expect((await signed('GET', account, { token })).status).toBe(200)
    })

    test('its servers can be in trouble; its pages for people stay', async () => {
      const { token } = await requestToken()
      await behave(simulator.url, { behaviour: 'unavailable', provider: 'microblog' })
      expect((await fetch(`${base}/2/users/me`)).status).toBe(503)
      expect((await fetch(authentication(token))).status).toBe(200)
      expect((await fetch(authorization())).status).toBe(200)
    })
  })
})
