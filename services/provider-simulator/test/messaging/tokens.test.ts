import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { advanceTime, get, post } from '../simulator.ts'
import {
  client_id,
  client_secret,
  codeFor,
  exchange,
  issuer,
  redirectUri,
  setSimulator,
  tokenEndpoint,
  tokensFor,
  withoutAccount,
} from './messaging.ts'

setSimulator()

describe('token endpoint', () => {
  test('returns tokens for 30 days, and a scope that never contains email', async () => {
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

  test('a code can be used once', async () => {
    const code = await codeFor('taro')
    expect((await exchange(code)).status).toBe(200)
    expect(await exchange(code)).toEqual({
      status: 400,
      json: { error: 'invalid_grant', error_description: 'invalid authorization code' },
    })
  })

  test('a code expires after ten minutes', async () => {
    const [inTime, late] = [await codeFor('taro'), await codeFor('taro')]
    advanceTime(595)
    expect((await exchange(inTime)).status).toBe(200)
    advanceTime(10)
    expect((await exchange(late)).json.error).toBe('invalid_grant')
  })

  test('400 if redirect_uri differs from the one sent, even only by its query', async () => {
    const { status, json } = await exchange(await codeFor('taro'), { redirect_uri: 'http://localhost:9/callback' })
    expect({ status, json }).toEqual({
      status: 400,
      json: { error: 'invalid_grant', error_description: 'redirect_uri does not match' },
    })
  })

  test('an S256 challenge requires its verifier', async () => {
    const codeVerifier = 'v'.repeat(50)
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
    const challenged = () => codeFor('taro', { code_challenge: codeChallenge, code_challenge_method: 'S256' })
    expect((await exchange(await challenged(), { code_verifier: codeVerifier })).status).toBe(200)
    expect((await exchange(await challenged(), { code_verifier: codeChallenge })).json.error).toBe('invalid_grant')
    expect((await exchange(await challenged())).json.error).toBe('invalid_request')
  })

  test('the client secret is accepted only in the form body', async () => {
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
    const fields = { grant_type: 'authorization_code', code: await codeFor('taro'), redirect_uri: redirectUri }
    const headers = { authorization: `Basic ${basic}` }
    expect((await post(tokenEndpoint, fields, headers)).json.error).toBe('invalid_request')
    expect((await post(tokenEndpoint, { ...fields, client_id }, headers)).json.error).toBe('invalid_request')
    expect((await post(tokenEndpoint, { ...fields, client_id, client_secret })).status).toBe(200)
  })

  test.each([
    [{ client_secret: 'wrong' }, 'invalid_client'],
    [{ client_id: 'unknown' }, 'invalid_client'],
    [{ client_id: withoutAccount.client_id }, 'invalid_grant'],
    [{ code: 'unknown' }, 'invalid_grant'],
    [{ code: '' }, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
  ])('400 with the lower-case error for %o: %s', async (changes, error) => {
    const { status, json } = await exchange(await codeFor('taro'), changes)
    expect({ status, json }).toEqual({ status: 400, json: { error, error_description: expect.any(String) } })
  })

  test('400 invalid_request for a body that is not a form', async () => {
    const response = await fetch(tokenEndpoint, { method: 'POST', body: '{}' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })
})

describe('refresh', () => {
  const refresh = (refreshToken: string) =>
    post(tokenEndpoint, { grant_type: 'refresh_token', refresh_token: refreshToken, client_id, client_secret })

  test('returns a new access token, the same refresh token and no ID Token', async () => {
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

  test('does not extend the refresh token, which expires 90 days after its issue', async () => {
    const { refresh_token } = await tokensFor('taro')
    advanceTime(89 * 86_400)
    expect((await refresh(refresh_token)).status).toBe(200)
    advanceTime(2 * 86_400)
    expect(await refresh(refresh_token)).toEqual({
      status: 400,
      json: { error: 'invalid_grant', error_description: 'invalid refresh token' },
    })
  })
})

describe('revoke', () => {
  const revoke = (fields: Record<string, string>) =>
    fetch(`${issuer}/oauth2/v2.1/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id, client_secret, ...fields }),
    })

  test('revokes the token in access_token, with 200 and an empty body, and no other', async () => {
    const [first, second] = [await tokensFor('taro'), await tokensFor('taro')]
    const response = await revoke({ access_token: first.access_token })
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 200, body: '' })
    expect((await get(`${issuer}/v2/profile`, first.access_token)).status).toBe(401)
    expect((await get(`${issuer}/v2/profile`, second.access_token)).status).toBe(200)
  })

  test('ignores the field token', async () => {
    const { access_token } = await tokensFor('taro')
    expect((await revoke({ token: access_token })).status).toBe(400)
    expect((await get(`${issuer}/v2/profile`, access_token)).status).toBe(200)
  })

  test('requires the client secret, and does not affect tokens of other clients', async () => {
    const { access_token } = await tokensFor('taro')
    expect((await revoke({ access_token, client_secret: 'wrong' })).status).toBe(400)
    await revoke({ access_token, client_id: withoutAccount.client_id })
    expect((await get(`${issuer}/v2/profile`, access_token)).status).toBe(200)
  })
})
