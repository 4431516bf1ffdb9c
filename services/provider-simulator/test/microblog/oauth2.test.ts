import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { endScenarios, startScenario } from '../scenario-api.ts'
import { get, post, requireText, signIn, withQuery } from '../simulator.ts'
import {
  accessFor,
  account,
  authentication,
  base,
  clientId,
  clientSecret,
  error,
  jsonOf,
  passTime,
  redirectUri,
  requestToken,
  setSimulator,
  signed,
  simulator,
} from './microblog.ts'

setSimulator()

describe('OAuth 2.0', () => {
  const codeVerifier = 'v'.repeat(43)
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const authorizationParameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 's-1',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    scope: 'users.read tweet.read users.email offline.access',
  }
  const authorization = (changes: Record<string, string> = {}) =>
    withQuery(`${base}/i/oauth2/authorize`, { ...authorizationParameters, ...changes })
  const raw = (secret = clientSecret, id = clientId) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  })
  const codeFor = async (changes: Record<string, string> = {}) =>
    requireText((await signIn(authorization(changes), { user: 'Ada King' })).searchParams.get('code'))
  const exchange = (code: string, changes: Record<string, string> = {}, headers = raw()) =>
    post(
      `${base}/2/oauth2/token`,
      { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier, ...changes },
      headers,
    )
  const refresh = (refreshToken: string) =>
    post(`${base}/2/oauth2/token`, { grant_type: 'refresh_token', refresh_token: refreshToken }, raw())
  const tokensFor = async (changes: Record<string, string> = {}) => (await exchange(await codeFor(changes))).json
  const invalid = { status: 400, json: { error: 'invalid_request', error_description: expect.any(String) } }
  const me = (token: string) => get(`${base}/2/users/me?user.fields=confirmed_email,public_metrics`, token)

  test('a code returns a token for two hours; a refresh token only with offline.access', async () => {
    expect(await tokensFor()).toEqual({
      token_type: 'bearer',
      expires_in: 7_200,
      access_token: expect.stringMatching(/.{80}/),
      scope: authorizationParameters.scope,
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
    ['of an unknown client', { client_id: 'unknown' }],
    ['for a callback with a query that is not registered', { redirect_uri: `${redirectUri}?x=1` }],
    ['for a token', { response_type: 'token' }],
  ])('a request %s shows a page', async (_, changes) => {
    const response = await fetch(authorization(changes), { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('Something went wrong')
  })

  test('a denial becomes access_denied', async () => {
    const callback = await signIn(authorization(), { decision: 'deny' })
    expect(Object.fromEntries(callback.searchParams)).toEqual({ error: 'access_denied', state: 's-1' })
  })

  test('a code can be used once, within thirty seconds, with its verifier and its redirect_uri', async () => {
    const used = await codeFor()
    expect((await exchange(used)).status).toBe(200)
    expect(await exchange(used)).toEqual(invalid)
    expect(await exchange(await codeFor(), { code_verifier: 'w'.repeat(43) })).toEqual(invalid)
    expect(await exchange(await codeFor(), { code_verifier: '' })).toEqual(invalid)
    expect(await exchange(await codeFor(), { redirect_uri: 'http://localhost:9/other' })).toEqual(invalid)
    expect(await exchange(await codeFor(), {}, raw(clientSecret, 'other'))).toEqual(invalid)
    const slow = await codeFor()
    passTime(31)
    expect(await exchange(slow)).toEqual(invalid)
  })

  test('the plain challenge is accepted', async () => {
    const code = await codeFor({ code_challenge: codeVerifier, code_challenge_method: 'plain' })
    expect((await exchange(code)).status).toBe(200)
  })

  test('id and secret are accepted only in Basic authentication, without percent-encoding', async () => {
    const code = await codeFor()
    const encoded = await exchange(code, {}, raw(encodeURIComponent(clientSecret)))
    expect(encoded).toMatchObject({ status: 401, json: { error: 'invalid_client' } })
    const byForm = await post(`${base}/2/oauth2/token`, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
      client_id: clientId,
      client_secret: clientSecret,
    })
    expect(byForm).toMatchObject({ status: 401, json: { error: 'unauthorized_client' } })
    expect((await exchange(code)).status).toBe(200)
  })

  test('a refresh token is replaced at every use', async () => {
    const { refresh_token } = await tokensFor()
    const { json: renewed } = await refresh(requireText(refresh_token))
    expect(renewed.refresh_token).not.toBe(refresh_token)
    expect((await me(requireText(renewed.access_token))).status).toBe(200)
    expect(await refresh(requireText(refresh_token))).toEqual(invalid)
    expect((await refresh(requireText(renewed.refresh_token))).status).toBe(200)
  })

  test('the account is in `data`; a field without its scope adds an error', async () => {
    const { json } = await me(requireText((await tokensFor()).access_token))
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^\d{19}$/),
        name: 'Ada King',
        username: expect.stringMatching(/^AdaKing_/),
        public_metrics: expect.objectContaining({ followers_count: expect.any(Number) }),
        confirmed_email: expect.stringMatching(/@microblog\.example$/),
      },
    })
    const limited = await me(requireText((await tokensFor({ scope: 'users.read tweet.read' })).access_token))
    expect(limited).toMatchObject({ status: 200, json: { errors: [{ field: 'confirmed_email' }] } })
    expect(limited.json.data).not.toHaveProperty('confirmed_email')
  })

  test('a valid token with both scopes gets the account', async () => {
    const problem = (status: number) => ({ status, json: { type: 'about:blank', status } })
    expect(await me(requireText((await tokensFor({ scope: 'users.read' })).access_token))).toMatchObject(problem(403))
    expect(await me('made-up')).toMatchObject(problem(401))
    expect(await get(`${base}/2/users/me`)).toMatchObject(problem(401))
    const { access_token } = await tokensFor()
    passTime(7_201)
    expect(await me(requireText(access_token))).toMatchObject(problem(401))
  })

  test('a token is revoked only by its own client, any number of times', async () => {
    const { access_token, refresh_token } = await tokensFor()
    const revoke = (token: unknown, headers = raw()) =>
      post(`${base}/2/oauth2/revoke`, { token: requireText(token) }, headers)
    await revoke(access_token, raw(clientSecret, 'other'))
    expect((await me(requireText(access_token))).status).toBe(200)
    for (const token of [access_token, access_token, refresh_token]) {
      expect(await revoke(token)).toEqual({ status: 200, json: { revoked: true } })
    }
    expect((await me(requireText(access_token))).status).toBe(401)
    expect(await refresh(requireText(refresh_token))).toEqual(invalid)
  })

  test('returns the same user as OAuth 1.0a', async () => {
    const { json } = await me(requireText((await tokensFor()).access_token))
    const { token } = await accessFor('Ada King')
    expect(json).toMatchObject({ data: { id: token.split('-')[0] } })
  })

  describe('scenarios', () => {
    afterEach(() => endScenarios(simulator.url))
    const choose = (scenario: string, options: object = {}) =>
      startScenario(simulator.url, { scenario, name: 'Ada King', ...options })

    test.each(['revoked', 'account_deleted'])('%s: all tokens are invalid', async (scenario) => {
      const { access_token, refresh_token } = await tokensFor()
      const token = await accessFor('Ada King')
      await choose(scenario)
      expect((await me(requireText(access_token))).status).toBe(401)
      expect(await refresh(requireText(refresh_token))).toEqual(invalid)
      expect(jsonOf(await signed('GET', account, { token }))).toEqual(error(401, 89))
    })

    test('a new login after the consent was revoked returns other, valid tokens', async () => {
      const old = await accessFor('Ada King')
      await choose('revoked')
      passTime(1)
      const token = await accessFor('Ada King')
      expect(token.token).not.toBe(old.token)
      expect((await signed('GET', account, { token })).status).toBe(200)
      expect((await me(requireText((await tokensFor()).access_token))).status).toBe(200)
    })

    test.each(['no_email', 'unverified_email'])(
      '%s: no address is returned, because only confirmed ones are',
      async (scenario) => {
        await choose(scenario)
        const { json } = await me(requireText((await tokensFor()).access_token))
        expect(json.data).toHaveProperty('public_metrics')
        expect(json.data).not.toHaveProperty('confirmed_email')
        const signedCall = { token: await accessFor('Ada King') }
        const received = await signed('GET', `${account}?include_email=true`, signedCall)
        expect(JSON.parse(received.text)).not.toHaveProperty('email')
      },
    )

    test('short-lived access tokens apply to OAuth 2.0; those of OAuth 1.0a do not expire', async () => {
      await choose('short_access_tokens', { seconds: 20 })
      const { access_token, expires_in } = await tokensFor()
      const token = await accessFor('Ada King')
      expect(expires_in).toBe(20)
      passTime(21)
      expect((await me(requireText(access_token))).status).toBe(401)
      expect((await signed('GET', account, { token })).status).toBe(200)
    })

    test('its endpoints for servers fail; its pages for end users work', async () => {
      const { token } = await requestToken()
      await startScenario(simulator.url, { scenario: 'unavailable', provider: 'microblog' })
      expect((await fetch(`${base}/2/users/me`)).status).toBe(503)
      expect((await fetch(authentication(token))).status).toBe(200)
      expect((await fetch(authorization())).status).toBe(200)
    })
  })
})
