import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openForTest, type SeededSite, type ServiceStack, seedSite, startStack } from '#testing'
import { applicationOf } from './application.ts'
import { authenticateAddress, authorizeAddress, begin, openTestBrowser } from './browser.ts'
import {
  type MaliciousMicroblog,
  type MicroblogForgery,
  requestSecret,
  startMaliciousMicroblog,
} from './malicious-microblog.ts'

let maliciousProvider: MaliciousMicroblog
let serviceStack: ServiceStack
let site: SeededSite
let oauth2Site: SeededSite
let identity: ReturnType<typeof openForTest>
beforeAll(async () => {
  maliciousProvider = await startMaliciousMicroblog()
  const providerAuthEnvironment = { PROVIDER_SIMULATOR_URL: maliciousProvider.url }
  serviceStack = await startStack({ providerAuthEnvironment })
  site = await seedSite(serviceStack)
  oauth2Site = await seedSite(serviceStack, { microblog_protocol: 'oauth2' })
  identity = openForTest(serviceStack.database_urls.identity)
})
afterAll(async () => {
  await identity[Symbol.asyncDispose]()
  await serviceStack[Symbol.asyncDispose]()
  await maliciousProvider[Symbol.asyncDispose]()
})
beforeEach(() => {
  maliciousProvider.forgery = {}
  maliciousProvider.requestCounts.clear()
})

/** Follows the login until the application receives a response. */
async function logIn(shop = site): Promise<URL> {
  const browser = openTestBrowser()
  const first = await begin(browser, authorizeAddress(shop, 'microblog'))
  if (!first.startsWith(maliciousProvider.url)) return new URL(first)
  return new URL(await begin(browser, await begin(browser, first)))
}

async function countLogins(): Promise<number> {
  const [row] = await identity.knex('login_history').count<{ count: number }[]>()
  return Number(row?.count)
}

const received = (error: object) => ({ ...error, state: 'state-of-the-application', iss: serviceStack.auth })
const serverError = { error: 'server_error', error_description: 'Internal server error.' }

/** The application receives an error with its own state, and no login is recorded. */
async function expectRefused(shop = site, error: object = serverError): Promise<void> {
  const before = await countLogins()
  expect(Object.fromEntries((await logIn(shop)).searchParams)).toEqual(received(error))
  expect(await countLogins()).toBe(before)
}

const long = (length: number) => 'x'.repeat(length)
const bomb = gzipSync(Buffer.alloc(100_000_000))
type Answer = (response: ServerResponse) => void
const refuse =
  (status: number, body: object): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
/** In place of the request token. */
const putInstead = (back: URLSearchParams, name: string, value: string) => {
  back.delete('oauth_token')
  back.set(name, value)
}
const numbered = (code: number) => ({ errors: [{ code, message: 'No.' }] })

/** What any step of any protocol may answer in place of what it should. */
const noAnswers: [string, Answer][] = [
  ['a page', (response) => response.end('<h1>Hello</h1>')],
  ['nothing', (response) => response.end()],
  ['half an answer', (response) => response.end('oauth_token=x&oauth_tok')],
  ['a list', (response) => response.end('[]')],
  ['UP-5 5 MB', (response) => response.end(long(5_000_000))],
  [
    'UP-5 a few bytes that unpack to 100 MB',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  ],
  ['a hang-up', (response) => response.destroy()],
  ['401 with its number', refuse(401, numbered(32))],
  ['403 with its number', refuse(403, numbered(415))],
  ['UP-6 429', refuse(429, numbered(88))],
  ['500', refuse(500, {})],
]
const answersOf = (step: string) =>
  noAnswers.map(([name, answer]): [string, MicroblogForgery] => [`${name} at ${step}`, { instead: { [step]: answer } }])

describe('CONF-4 from a microblog provider that uses OAuth 1.0a', () => {
  test('a correct response is accepted', async () => {
    const { id_token } = await applicationOf(serviceStack, site).redeem(await logIn())
    const claims = await applicationOf(serviceStack, site).verify(id_token)
    expect(claims).toMatchObject({ provider: 'microblog', provider_uid: '1' })
  })

  test.each<[string, MicroblogForgery]>([
    ['no request token', { request_token: { oauth_token: undefined } }],
    ['an empty request token', { request_token: { oauth_token: '' } }],
    ['a request token without secret', { request_token: { oauth_token_secret: undefined } }],
    ['a request token of 256 characters', { request_token: { oauth_token: long(256) } }],
    ['a callback that is not confirmed', { request_token: { oauth_callback_confirmed: undefined } }],
    ['a callback that does not count', { request_token: { oauth_callback_confirmed: 'false' } }],
    ['the callback of another request token', { returns: (back) => back.set('oauth_token', 'request-0') }],
    ['a callback without request token', { returns: (back) => back.delete('oauth_token') }],
    ['two request tokens in the callback', { returns: (back) => back.append('oauth_token', 'request-0') }],
    ['no verifier', { returns: (back) => back.delete('oauth_verifier') }],
    ['two verifiers', { returns: (back) => back.append('oauth_verifier', 'other') }],
    ['a no of another request token', { returns: (back) => putInstead(back, 'denied', 'request-0') }],
    ['a code', { returns: (back) => putInstead(back, 'code', 'code') }],
    ['no access token', { access_token: { oauth_token: undefined } }],
    ['an access token without secret', { access_token: { oauth_token_secret: undefined } }],
    ['BR-20 an access token of 256 characters', { access_token: { oauth_token: long(256) } }],
    ['BR-20 a secret of 256 characters', { access_token: { oauth_token_secret: long(256) } }],
    ['an access token without a user', { access_token: { user_id: undefined } }],
    ['BR-8 an account of another person', { account: { id_str: '2' } }],
    ['BR-8 an access token of another person', { access_token: { user_id: '2' } }],
    ['BR-9 an account without id', { account: { name: 'One' } }],
    ['BR-9 an id that is a number', { account: { id_str: 1 } }],
    ['BR-9 an empty id', { account: { id_str: '' }, access_token: { user_id: '' } }],
    ['BR-9 an id of 256 characters', { account: { id_str: long(256) }, access_token: { user_id: long(256) } }],
    ...answersOf('request_token'),
    ...answersOf('access_token'),
    ...answersOf('verify_credentials.json').filter(([name]) => !name.startsWith('403')),
    [
      'an account that version 2 refuses as well',
      { instead: { 'verify_credentials.json': refuse(403, numbered(453)), me: refuse(403, {}) } },
    ],
    [
      'BR-8 an account of another person by version 2',
      { instead: { 'verify_credentials.json': refuse(403, numbered(453)), me: refuse(200, { data: { id: '2' } }) } },
    ],
  ])('%s: no login, server_error to the application', async (_, lie) => {
    maliciousProvider.forgery = lie
    await expectRefused()
  })

  test.each<[string, MicroblogForgery]>([
    ['tokens of 255 characters', { access_token: { oauth_token: long(255), oauth_token_secret: long(255) } }],
    ['an account with an ID only', { account: { id_str: '1' } }],
    ['unknown parameters in the callback', { returns: (back) => back.set('lang', 'en') }],
    ['an account that version 1.1 denies', { instead: { 'verify_credentials.json': refuse(403, numbered(453)) } }],
  ])('%s is allowed', async (_, lie) => {
    maliciousProvider.forgery = lie
    expect((await logIn()).searchParams.get('error')).toBeNull()
  })

  test.each(['request_token', 'access_token', 'verify_credentials.json'])(
    'BR-23 UP-2 a redirect of %s is not followed, and no request is repeated',
    async (step) => {
      const unavailable: Answer = (response) =>
        response.writeHead(307, { location: `${maliciousProvider.url}/microblog/elsewhere` }).end()
      maliciousProvider.forgery = { instead: { [step]: unavailable } }
      await expectRefused()
      expect(maliciousProvider.requestCounts.get(step)).toBe(1)
      expect(maliciousProvider.requestCounts.get('elsewhere')).toBeUndefined()
    },
  )

  test('a denial by the end user becomes access_denied', async () => {
    maliciousProvider.forgery = {
      returns(back) {
        back.set('denied', back.get('oauth_token') ?? '')
        back.delete('oauth_token')
        back.delete('oauth_verifier')
      },
    }
    await expectRefused(site, { error: 'access_denied' })
  })

  test('the secret of the request token is not readable in the cookie of the started login', async () => {
    const browser = openTestBrowser()
    await begin(browser, authorizeAddress(site, 'microblog'))
    const stored = [...browser.cookies.values()].map((value) => Buffer.from(value, 'base64url').toString('latin1'))
    expect(stored).toHaveLength(1)
    expect(stored.join()).not.toContain(requestSecret)
  })
})

describe('UP-1 a microblog provider that is unavailable when a login starts', () => {
  const hangUp: MicroblogForgery = { instead: { request_token: (response) => response.destroy() } }
  const silent: MicroblogForgery = { instead: { request_token: () => {} } }

  test('and does not respond: server_error to the application within the deadline, and no cookie remains', async () => {
    maliciousProvider.forgery = silent
    const browser = openTestBrowser()
    const location = new URL(await begin(browser, authorizeAddress(site, 'microblog')))
    expect(Object.fromEntries(location.searchParams)).toEqual(received(serverError))
    expect(browser.cookies.size).toBe(0)
  })

  test('in a site login: provider_unavailable to its callback', async () => {
    maliciousProvider.forgery = hangUp
    const location = new URL(await begin(openTestBrowser(), authenticateAddress(serviceStack, site, 'microblog')))
    const { status, reason, state } = Object.fromEntries(location.searchParams)
    expect({ status, reason, state }).toEqual({
      ...{ status: 'failed', reason: 'provider_unavailable' },
      state: 'state-of-the-application',
    })
  })

  test('in the ID Token flow: the error is in the fragment', async () => {
    maliciousProvider.forgery = hangUp
    const address = authorizeAddress(site, 'microblog', { response_type: 'id_token', nonce: 'n' })
    const location = new URL(await begin(openTestBrowser(), address))
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

describe('CONF-4 from a microblog provider that uses OAuth 2.0', () => {
  test('a correct response is accepted', async () => {
    const { id_token } = await applicationOf(serviceStack, oauth2Site).redeem(await logIn(oauth2Site))
    expect(await applicationOf(serviceStack, oauth2Site).verify(id_token)).toMatchObject({ provider_uid: '1' })
  })

  test.each<[string, MicroblogForgery]>([
    ['no code', { returns: (back) => back.delete('code') }],
    ['two codes', { returns: (back) => back.append('code', 'other') }],
    ['an account without data', { account: { errors: [] } }],
    ['BR-9 an account without id', { account: { data: { name: 'One' } } }],
    ['BR-9 an id that is a number', { account: { data: { id: 1 } } }],
    ['BR-9 an id of 256 characters', { account: { data: { id: long(256) } } }],
    ['an account of version 1.1', { account: { id_str: '1' } }],
    ...answersOf('token'),
    ...answersOf('me'),
  ])('%s: no login, server_error to the application', async (_, lie) => {
    maliciousProvider.forgery = lie
    await expectRefused(oauth2Site)
  })

  test('a request token and verifier instead of a code are rejected', async () => {
    maliciousProvider.forgery = {
      returns(back) {
        back.delete('code')
        back.set('oauth_token', 'request-0')
        back.set('oauth_verifier', 'verifier')
      },
    }
    await expectRefused(oauth2Site)
  })
})
