import { describe, expect, test } from 'vitest'
import { advanceTime, openForm, requireText, signIn } from '../simulator.ts'
import {
  authorization,
  clientId,
  clientSecret,
  codeFor,
  exchange,
  exchangeForLongLivedToken,
  expectedGraphError,
  graph,
  me,
  redirectUri,
  setSimulator,
  tokenFor,
} from './social.ts'

setSimulator()

describe('authorization', () => {
  test('consent redirects with code and state, and with the fragment #_=_', async () => {
    const { searchParams, hash } = await signIn(authorization(), { user: 'ada' })
    expect(Object.fromEntries(searchParams)).toEqual({ code: expect.any(String), state: 'a-/b' })
    expect(hash).toBe('#_=_')
  })

  test('denial redirects with access_denied, a reason and a number', async () => {
    const { searchParams, hash } = await signIn(authorization(), { decision: 'deny' })
    expect(Object.fromEntries(searchParams)).toEqual({
      error: 'access_denied',
      error_code: '200',
      error_description: 'Permissions error',
      error_reason: 'user_denied',
      state: 'a-/b',
    })
    expect(hash).toBe('#_=_')
  })

  test.each([
    ['an unknown client', { client_id: 'unknown' }],
    ['an unregistered redirect_uri', { redirect_uri: `${redirectUri}?more=1` }],
    ['an unknown permission', { scope: 'openid,phone' }],
    ['another response_type', { response_type: 'token' }],
  ])('a page and no redirect for %s', async (_, changes) => {
    const response = await fetch(authorization(changes), { redirect: 'manual' })
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({
      status: 400,
      location: null,
    })
  })

  test('the page lists the shared data, and offers not to share the e-mail address', async () => {
    const { html } = await openForm(authorization({ scope: 'email user_birthday' }))
    for (const shared of ['Your name and profile picture', 'Your e-mail address', 'Your birthday'])
      expect(html).toContain(shared)
    expect(html).toContain('Do not share my e-mail address')
    expect((await openForm(authorization({ scope: 'public_profile' }))).html).not.toContain('Do not share')
  })
})

describe('token endpoint', () => {
  test.each(['GET', 'POST'])(
    'a code returns by %s a short-lived token, and no refresh token or ID Token',
    async (method) => {
      const form = new URLSearchParams({
        code: await codeFor('ada'),
        redirect_uri: redirectUri,
        client_id: clientId,
        client_secret: clientSecret,
      })
      const endpoint = `${graph}/oauth/access_token`
      const response = await (method === 'GET' ? fetch(`${endpoint}?${form}`) : fetch(endpoint, { method, body: form }))
      expect(await response.json()).toEqual({
        access_token: expect.stringMatching(/^EAA[\w-]{200}$/),
        token_type: 'bearer',
        expires_in: 7_200,
      })
    },
  )

  test.each([
    [{ client_id: 'unknown' }, 101],
    [{ client_secret: 'wrong' }, 1],
    [{ client_id: 'other' }, 100],
    [{ code: 'unknown' }, 100],
    [{ redirect_uri: 'http://localhost:9/other' }, 100],
  ])('%o is the error object with the code %i', async (changes, code) => {
    const response = await exchange(await codeFor('ada'), changes)
    expect(response).toEqual({ status: 400, json: expectedGraphError(code) })
  })

  test('a code can be used once', async () => {
    const code = await codeFor('ada')
    expect((await exchange(code)).status).toBe(200)
    expect((await exchange(code)).json).toEqual(expectedGraphError(100))
  })

  test('a valid token is exchanged for one of about sixty days', async () => {
    const { json } = await exchangeForLongLivedToken(await tokenFor('ada'))
    expect(json).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 5_183_944 })
    advanceTime(5_183_940)
    expect((await me(requireText(json.access_token))).status).toBe(200)
    advanceTime(10)
    expect((await me(requireText(json.access_token))).json).toEqual(expectedGraphError(190))
  })

  test('a token that has expired, is unknown or belongs to another application is not exchanged', async () => {
    const accessToken = await tokenFor('ada')
    expect(await exchangeForLongLivedToken('unknown')).toEqual({ status: 400, json: expectedGraphError(190) })
    expect(await exchangeForLongLivedToken(accessToken, { client_id: 'other' })).toEqual({
      status: 400,
      json: expectedGraphError(190),
    })
    advanceTime(7_201)
    expect((await exchangeForLongLivedToken(accessToken)).json).toEqual({
      error: expect.objectContaining({ error_subcode: 463 }),
    })
  })
})
