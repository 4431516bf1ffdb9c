import { describe, expect, test } from 'vitest'
import { signIn } from '../simulator.ts'
import {
  accessFor,
  account,
  authentication,
  consent,
  error,
  jsonOf,
  passTime,
  redirectUri,
  requestToken,
  setSimulator,
  signed,
  type Token,
} from './microblog.ts'

setSimulator()

describe('OAuth 1.0a', () => {
  test('a request token is returned as a form with the content type HTML and oauth_callback_confirmed', async () => {
    const protocol = { oauth_callback: redirectUri }
    const { status, type, text: form } = await signed('POST', '/oauth/request_token', { protocol })
    expect({ status, type }).toEqual({ status: 200, type: 'text/html; charset=utf-8' })
    expect(Object.fromEntries(new URLSearchParams(form))).toEqual({
      oauth_token: expect.stringMatching(/^[\w-]{20,}$/),
      oauth_token_secret: expect.stringMatching(/^[\w-]{20,}$/),
      oauth_callback_confirmed: 'true',
    })
  })

  test('a user who consents returns with the request token and a verifier in addition to the callback’s own query', async () => {
    const { token } = await requestToken()
    const callback = await signIn(authentication(token), { user: 'hanako' })
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      state: 's-1',
      oauth_token: token,
      oauth_verifier: expect.stringMatching(/.{16}/),
    })
  })

  test('an end user who denies returns with only the request token as `denied`', async () => {
    const { token } = await requestToken()
    const callback = await signIn(authentication(token), { decision: 'deny' })
    expect(Object.fromEntries(callback.searchParams)).toEqual({ state: 's-1', denied: token })
  })

  test('the access token is the same at every login of a user until it is invalidated, and does not expire', async () => {
    const first = await accessFor('Hanako Yamada')
    expect(first).toEqual({
      token: expect.stringMatching(/^\d{19}-/),
      secret: expect.stringMatching(/.{32}/),
      user_id: first.token?.split('-')[0],
      screen_name: expect.stringMatching(/^HanakoYa_\w{6}$/),
    })
    expect(await accessFor('Hanako Yamada')).toEqual(first)
    expect((await accessFor('Taro')).token).not.toBe(first.token)
    passTime(400 * 86_400)
    expect((await signed('GET', account, { token: first })).status).toBe(200)
  })

  test('an invalidated token stays invalid, and the next login issues another', async () => {
    const token = await accessFor('Gone')
    const invalidate = () => signed('POST', '/1.1/oauth/invalidate_token.json', { token })
    expect(jsonOf(await invalidate())).toEqual({ status: 200, json: { access_token: token.token } })
    expect(jsonOf(await invalidate())).toEqual(error(401, 89))
    expect(jsonOf(await signed('GET', account, { token }))).toEqual(error(401, 89))
    expect((await accessFor('Gone')).token).not.toBe(token.token)
  })

  test('version 1.1 returns the account, and the e-mail address only on request', async () => {
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

  test('version 1.1 rejects an application whose plan does not include it; version 2 accepts it', async () => {
    const protocol = { oauth_consumer_key: 'version-2-alone' }
    const token = await accessFor('Ada King', protocol)
    expect(jsonOf(await signed('GET', account, { token, protocol }))).toEqual(error(403, 453))
    const { status, json } = jsonOf(await signed('GET', '/2/users/me?user.fields=confirmed_email', { token, protocol }))
    expect({ status, json }).toMatchObject({ status: 200, json: { data: { name: 'Ada King' } } })
  })
})

describe('a request token', () => {
  const exchange = (token: Token, protocol: Record<string, string>) =>
    signed('POST', '/oauth/access_token', { token, protocol }).then(jsonOf)

  test('can be exchanged for one access token', async () => {
    const { request, oauth_verifier } = await consent('hanako')
    expect((await signed('POST', '/oauth/access_token', { token: request, protocol: { oauth_verifier } })).status).toBe(
      200,
    )
    expect(await exchange(request, { oauth_verifier })).toEqual(error(401, 89))
  })

  test.each(['', 'made-up'])('is rejected and becomes invalid with the verifier "%s"', async (wrong) => {
    const { request, oauth_verifier } = await consent('hanako')
    expect(await exchange(request, { oauth_verifier: wrong })).toEqual(error(401, 32))
    expect(await exchange(request, { oauth_verifier })).toEqual(error(401, 89))
  })

  test('is rejected with the verifier of another', async () => {
    const [mine, other] = [await consent('hanako'), await consent('mallory')]
    expect(await exchange(mine.request, { oauth_verifier: other.oauth_verifier })).toEqual(error(401, 32))
  })

  test('is rejected before the end user consented, and with another client', async () => {
    expect(await exchange(await requestToken(), { oauth_verifier: 'x' })).toEqual(error(401, 32))
    const { request, oauth_verifier } = await consent('hanako')
    const rejected = await exchange(request, { oauth_verifier, oauth_consumer_key: 'other' })
    expect(rejected).toEqual(error(401, 32))
  })

  test('that is unknown, used or expired shows a page', async () => {
    const { request } = await consent('hanako')
    const { token: old } = await requestToken()
    passTime(901)
    for (const token of ['made-up', request.token, old]) {
      const response = await fetch(authentication(token))
      expect(response.status).toBe(403)
      expect(await response.text()).toContain('This page is no longer valid')
    }
  })
})
