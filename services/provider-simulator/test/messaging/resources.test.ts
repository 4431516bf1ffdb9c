import { decodeJwt, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { advanceTime, get, post, requireText } from '../simulator.ts'
import {
  client_id,
  client_secret,
  codeFor,
  exchange,
  issuer,
  setSimulator,
  tokenEndpoint,
  tokensFor,
  withoutAccount,
} from './messaging.ts'

setSimulator()

describe('verify', () => {
  const verify = (fields: Record<string, string>) => post(`${issuer}/oauth2/v2.1/verify`, { client_id, ...fields })

  test('GET returns scope without email, client and remaining seconds of an access token', async () => {
    const { access_token } = await tokensFor('taro')
    const { json } = await get(`${issuer}/oauth2/v2.1/verify?access_token=${access_token}`)
    expect(json).toEqual({ scope: 'openid profile', client_id, expires_in: 2_592_000 })
  })

  test('GET returns 400 "access token expired" after 30 days', async () => {
    const { access_token } = await tokensFor('taro')
    advanceTime(2_592_001)
    expect(await get(`${issuer}/oauth2/v2.1/verify?access_token=${access_token}`)).toMatchObject({
      status: 400,
      json: { error: 'invalid_request', error_description: 'access token expired' },
    })
  })

  test('POST returns the claims of an ID Token', async () => {
    const { json } = await exchange(await codeFor('taro', { nonce: 'n-1' }))
    const idToken = requireText(json.id_token)
    const claims = decodeJwt(idToken)
    const response = await verify({ id_token: idToken, nonce: 'n-1', user_id: requireText(claims.sub) })
    expect(response).toEqual({ status: 200, json: claims })
  })

  test('POST returns 400 invalid_request with a description', async () => {
    const { json } = await exchange(await codeFor('taro', { nonce: 'n-1' }))
    const idToken = requireText(json.id_token)
    const signed = (claims: object, secret = client_secret) =>
      new SignJWT({ ...decodeJwt(idToken), ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(secret))
    const readError = async (fields: Record<string, string>) => {
      const { status, json: response } = await verify({ id_token: idToken, ...fields })
      expect({ status, error: response.error }).toEqual({ status: 400, error: 'invalid_request' })
      return response.error_description
    }
    expect(await readError({ nonce: 'other' })).toBe('Invalid IdToken Nonce.')
    expect(await readError({ user_id: 'Uother' })).toBe('Invalid IdToken Subject Identifier.')
    expect(await readError({ client_id: withoutAccount.client_id })).toBe('Invalid IdToken Audience.')
    expect(await readError({ id_token: 'rubbish' })).toBe('Invalid IdToken.')
    expect(await readError({ id_token: await signed({}, 'another-secret-another-secret-00') })).toBe('Invalid IdToken.')
    expect(await readError({ id_token: await signed({ iss: 'https://other.example' }) })).toBe(
      'Invalid IdToken Issuer.',
    )
    expect(await readError({ id_token: await signed({ exp: 1 }) })).toBe('IdToken expired.')
  })
})

describe('resources', () => {
  test.each(['GET', 'POST'])('userinfo by %s returns sub, name and picture, but no e-mail address', async (method) => {
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

  test('profile returns userId, displayName, pictureUrl and statusMessage', async () => {
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
    const responses = await Promise.all([
      get(`${issuer}/v2/profile`, openid.access_token),
      get(`${issuer}/friendship/v1/status`, openid.access_token),
      get(`${issuer}/oauth2/v2.1/userinfo`, profile.access_token),
    ])
    for (const { status, json } of responses) {
      expect({ status, json }).toEqual({ status: 403, json: { message: expect.any(String) } })
    }
  })
})

describe('deauthorize', () => {
  const channelToken = async (changes: Record<string, string> = {}) => {
    const form = { grant_type: 'client_credentials', client_id, client_secret, ...changes }
    return post(`${issuer}/oauth2/v3/token`, form)
  }
  const deauthorize = async (bearer: unknown, userAccessToken: string) => {
    const response = await fetch(`${issuer}/user/v1/deauthorize`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userAccessToken }),
    })
    return { status: response.status, body: await response.text() }
  }

  test('revokes the consent and all its tokens, once; the next login is a new consent', async () => {
    const [first, second] = [await tokensFor('leaver'), await tokensFor('leaver')]
    const { status, json } = await channelToken()
    expect({ status, json }).toMatchObject({ status: 200, json: { token_type: 'Bearer', expires_in: 900 } })
    expect(await deauthorize(json.access_token, first.access_token)).toEqual({ status: 204, body: '' })
    expect((await get(`${issuer}/v2/profile`, second.access_token)).status).toBe(401)
    const refresh = { grant_type: 'refresh_token', refresh_token: second.refresh_token, client_id, client_secret }
    expect((await post(tokenEndpoint, refresh)).status).toBe(400)
    const again = await deauthorize(json.access_token, first.access_token)
    expect(again).toEqual({ status: 400, body: '{"message":"invalid token"}' })
    const { access_token } = await tokensFor('leaver')
    expect((await get(`${issuer}/v2/profile`, access_token)).status).toBe(200)
  })

  test('requires a channel token, which the channel gets with its secret for 15 minutes', async () => {
    const { access_token } = await tokensFor('taro')
    expect((await channelToken({ client_secret: 'wrong' })).status).toBe(400)
    expect((await channelToken({ grant_type: 'refresh_token' })).status).toBe(400)
    expect((await deauthorize(access_token, access_token)).status).toBe(401)
    const { json } = await channelToken()
    advanceTime(901)
    expect((await deauthorize(json.access_token, access_token)).status).toBe(401)
  })

  test('does not affect users of other channels', async () => {
    const { access_token } = await tokensFor('taro')
    const { json } = await channelToken({ client_id: withoutAccount.client_id })
    expect((await deauthorize(json.access_token, access_token)).status).toBe(400)
    expect((await get(`${issuer}/v2/profile`, access_token)).status).toBe(200)
  })
})
