import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openForTest, type SeededSite, seedSite } from '#testing'
import { applicationOf } from './application.ts'
import { buildAuthenticateUrl, buildAuthorizeUrl, openRedirect, openTestBrowser } from './browser.ts'
import {
  type MaliciousMicroblog,
  type MicroblogForgery,
  requestSecret,
  startMaliciousMicroblog,
} from './malicious-microblog.ts'
import { createOwnSiteFixture } from './site-fixture.ts'

let maliciousProvider: MaliciousMicroblog
let oauth2Site: SeededSite
let identity: ReturnType<typeof openForTest>
beforeAll(async () => {
  maliciousProvider = await startMaliciousMicroblog()
  return () => maliciousProvider[Symbol.asyncDispose]()
})
const { serviceStack, site, application } = createOwnSiteFixture(() => ({
  providerAuthEnvironment: { PROVIDER_SIMULATOR_URL: maliciousProvider.url },
}))
beforeAll(async () => {
  oauth2Site = await seedSite(serviceStack, { microblog_protocol: 'oauth2' })
  identity = openForTest(serviceStack.database_urls.identity)
  return () => identity[Symbol.asyncDispose]()
})
beforeEach(() => {
  maliciousProvider.forgery = {}
  maliciousProvider.requestCounts.clear()
})

/** Follows the login until the application receives a response. */
async function logIn(shop = site): Promise<URL> {
  const browser = openTestBrowser()
  const first = await openRedirect(browser, buildAuthorizeUrl(shop, 'microblog'))
  if (!first.startsWith(maliciousProvider.url)) return new URL(first)
  return new URL(await openRedirect(browser, await openRedirect(browser, first)))
}

async function countLogins(): Promise<number> {
  const [row] = await identity.knex('login_history').count<{ count: number }[]>()
  return Number(row?.count)
}

const received = (error: object) => ({ ...error, state: 'state-of-the-application', iss: serviceStack.auth })
const serverError = { error: 'server_error', error_description: 'Internal server error.' }

/** The application receives an error with its own state, and no login is recorded. */
async function expectLoginError(shop = site, error: object = serverError): Promise<void> {
  const before = await countLogins()
  expect(Object.fromEntries((await logIn(shop)).searchParams)).toEqual(received(error))
  expect(await countLogins()).toBe(before)
}

const long = (length: number) => 'x'.repeat(length)
const bomb = gzipSync(Buffer.alloc(100_000_000))
type Respond = (response: ServerResponse) => void
const respondWith =
  (status: number, body: object): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
/** Replaces the request token. */
const replaceToken = (callback: URLSearchParams, name: string, value: string) => {
  callback.delete('oauth_token')
  callback.set(name, value)
}
const numbered = (code: number) => ({ errors: [{ code, message: 'No.' }] })

/** Invalid responses for any step of any protocol. */
const invalidResponses: [string, Respond][] = [
  ['a page', (response) => response.end('<h1>Hello</h1>')],
  ['nothing', (response) => response.end()],
  ['half a response', (response) => response.end('oauth_token=x&oauth_tok')],
  ['a list', (response) => response.end('[]')],
  ['5 MB', (response) => response.end(long(5_000_000))],
  [
    'a few bytes that unpack to 100 MB',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  ],
  ['a hang-up', (response) => response.destroy()],
  ['401 with its code', respondWith(401, numbered(32))],
  ['403 with its code', respondWith(403, numbered(415))],
  ['429', respondWith(429, numbered(88))],
  ['500', respondWith(500, {})],
]
const invalidResponsesAt = (step: string) =>
  invalidResponses.map(([name, respond]): [string, MicroblogForgery] => [
    `${name} at ${step}`,
    { instead: { [step]: respond } },
  ])

describe('from a microblog provider that uses OAuth 1.0a', () => {
  test('a correct response is accepted', async () => {
    const claims = await application.claimsOf(await logIn())
    expect(claims).toMatchObject({ provider: 'microblog', provider_uid: '1' })
  })

  test.each<[string, MicroblogForgery]>([
    ['no request token', { request_token: { oauth_token: undefined } }],
    ['an empty request token', { request_token: { oauth_token: '' } }],
    ['a request token without secret', { request_token: { oauth_token_secret: undefined } }],
    ['a request token of 256 characters', { request_token: { oauth_token: long(256) } }],
    ['a callback that is not confirmed', { request_token: { oauth_callback_confirmed: undefined } }],
    ['oauth_callback_confirmed=false', { request_token: { oauth_callback_confirmed: 'false' } }],
    ['the callback of another request token', { returns: (callback) => callback.set('oauth_token', 'request-0') }],
    ['a callback without request token', { returns: (callback) => callback.delete('oauth_token') }],
    ['two request tokens in the callback', { returns: (callback) => callback.append('oauth_token', 'request-0') }],
    ['no verifier', { returns: (callback) => callback.delete('oauth_verifier') }],
    ['two verifiers', { returns: (callback) => callback.append('oauth_verifier', 'other') }],
    ['a denial of another request token', { returns: (callback) => replaceToken(callback, 'denied', 'request-0') }],
    ['a code', { returns: (callback) => replaceToken(callback, 'code', 'code') }],
    ['no access token', { access_token: { oauth_token: undefined } }],
    ['an access token without secret', { access_token: { oauth_token_secret: undefined } }],
    ['an access token of 256 characters', { access_token: { oauth_token: long(256) } }],
    ['a secret of 256 characters', { access_token: { oauth_token_secret: long(256) } }],
    ['an access token without a user', { access_token: { user_id: undefined } }],
    ['an account of another user', { account: { id_str: '2' } }],
    ['an access token of another user', { access_token: { user_id: '2' } }],
    ['an empty id', { account: { id_str: '' }, access_token: { user_id: '' } }],
    ['an id of 256 characters', { account: { id_str: long(256) }, access_token: { user_id: long(256) } }],
    ...invalidResponsesAt('request_token'),
    ...invalidResponsesAt('access_token'),
    [
      'an account of another user by version 2',
      {
        instead: {
          'verify_credentials.json': respondWith(403, numbered(453)),
          me: respondWith(200, { data: { id: '2' } }),
        },
      },
    ],
  ])('%s: no login, server_error to the application', async (_, lie) => {
    maliciousProvider.forgery = lie
    await expectLoginError()
  })

  test.each<[string, MicroblogForgery]>([
    ['tokens of 255 characters', { access_token: { oauth_token: long(255), oauth_token_secret: long(255) } }],
    ['an account with an ID only', { account: { id_str: '1' } }],
    ['unknown parameters in the callback', { returns: (callback) => callback.set('lang', 'en') }],
    ['an account that version 1.1 denies', { instead: { 'verify_credentials.json': respondWith(403, numbered(453)) } }],
  ])('%s is allowed', async (_, lie) => {
    maliciousProvider.forgery = lie
    expect((await logIn()).searchParams.get('error')).toBeNull()
  })

  test.each<[string, MicroblogForgery]>([
    ...invalidResponsesAt('verify_credentials.json'),
    ['503 at verify_credentials.json', { instead: { 'verify_credentials.json': respondWith(503, {}) } }],
    ['an account without id', { account: { name: 'One' } }],
    ['an id that is a number', { account: { id_str: 1 } }],
    [
      'an account that version 2 also rejects',
      { instead: { 'verify_credentials.json': respondWith(403, numbered(453)), me: respondWith(403, {}) } },
    ],
  ])('%s: the user is known, and the login goes on without the profile', async (_, lie) => {
    maliciousProvider.forgery = lie
    expect(await application.claimsOf(await logIn())).toMatchObject({ provider_uid: '1' })
  })

  test.each(['request_token', 'access_token'])(
    'a redirect of %s is not followed, and no request is repeated',
    async (step) => {
      const unavailable: Respond = (response) =>
        response.writeHead(307, { location: `${maliciousProvider.url}/microblog/elsewhere` }).end()
      maliciousProvider.forgery = { instead: { [step]: unavailable } }
      await expectLoginError()
      expect(maliciousProvider.requestCounts.get(step)).toBe(1)
      expect(maliciousProvider.requestCounts.get('elsewhere')).toBeUndefined()
    },
  )

  test('a denial by the end user becomes access_denied', async () => {
    maliciousProvider.forgery = {
      returns(callback) {
        callback.set('denied', callback.get('oauth_token') ?? '')
        callback.delete('oauth_token')
        callback.delete('oauth_verifier')
      },
    }
    await expectLoginError(site, { error: 'access_denied' })
  })

  test('the secret of the request token is not readable in the cookie of the started login', async () => {
    const browser = openTestBrowser()
    await openRedirect(browser, buildAuthorizeUrl(site, 'microblog'))
    const stored = [...browser.cookies.values()].map((value) => Buffer.from(value, 'base64url').toString('latin1'))
    expect(stored).toHaveLength(1)
    expect(stored.join()).not.toContain(requestSecret)
  })
})

describe('a microblog provider that is unavailable when a login starts', () => {
  const hangUp: MicroblogForgery = { instead: { request_token: (response) => response.destroy() } }
  const silent: MicroblogForgery = { instead: { request_token: () => {} } }

  test('and does not respond: server_error to the application within the deadline, and no cookie remains', async () => {
    maliciousProvider.forgery = silent
    const browser = openTestBrowser()
    const location = new URL(await openRedirect(browser, buildAuthorizeUrl(site, 'microblog')))
    expect(Object.fromEntries(location.searchParams)).toEqual(received(serverError))
    expect(browser.cookies.size).toBe(0)
  })

  test('in a site login: provider_unavailable to its callback', async () => {
    maliciousProvider.forgery = hangUp
    const location = new URL(
      await openRedirect(openTestBrowser(), buildAuthenticateUrl(serviceStack, site, 'microblog')),
    )
    const { status, reason, state } = Object.fromEntries(location.searchParams)
    expect({ status, reason, state }).toEqual({
      status: 'failed',
      reason: 'provider_unavailable',
      state: 'state-of-the-application',
    })
  })

  test('in the ID Token flow: the error is in the fragment', async () => {
    maliciousProvider.forgery = hangUp
    const address = buildAuthorizeUrl(site, 'microblog', { response_type: 'id_token', nonce: 'n' })
    const location = new URL(await openRedirect(openTestBrowser(), address))
    expect(location.search).toBe('')
    expect(new URLSearchParams(location.hash.slice(1)).get('error')).toBe('server_error')
  })

  test('and recovers: the next login completes', async () => {
    maliciousProvider.forgery = hangUp
    expect((await logIn()).searchParams.get('error')).toBe('server_error')
    maliciousProvider.forgery = {}
    expect((await logIn()).searchParams.has('code')).toBe(true)
  })
})

describe('from a microblog provider that uses OAuth 2.0', () => {
  test('a correct response is accepted', async () => {
    const claims = await applicationOf(serviceStack, oauth2Site).claimsOf(await logIn(oauth2Site))
    expect(claims).toMatchObject({ provider_uid: '1' })
  })

  test.each<[string, MicroblogForgery]>([
    ['no code', { returns: (callback) => callback.delete('code') }],
    ['two codes', { returns: (callback) => callback.append('code', 'other') }],
    ['an account without data', { account: { errors: [] } }],
    ['an account without id', { account: { data: { name: 'One' } } }],
    ['an id that is a number', { account: { data: { id: 1 } } }],
    ['an id of 256 characters', { account: { data: { id: long(256) } } }],
    ['an account of version 1.1', { account: { id_str: '1' } }],
    ...invalidResponsesAt('token'),
    ...invalidResponsesAt('me'),
  ])('%s: no login, server_error to the application', async (_, lie) => {
    maliciousProvider.forgery = lie
    await expectLoginError(oauth2Site)
  })

  test('an iss of the callback is ignored, because the provider documents none', async () => {
    maliciousProvider.forgery = { returns: (callback) => callback.set('iss', 'https://api.x.example') }
    expect((await logIn(oauth2Site)).searchParams.get('error')).toBeNull()
  })

  test('a request token and verifier instead of a code are rejected', async () => {
    maliciousProvider.forgery = {
      returns(callback) {
        callback.delete('code')
        callback.set('oauth_token', 'request-0')
        callback.set('oauth_verifier', 'verifier')
      },
    }
    await expectLoginError(oauth2Site)
  })
})
