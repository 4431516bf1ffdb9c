import type { ServerResponse } from 'node:http'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openForTest, seedSite } from '#testing'
import { applicationOf } from './application.ts'
import { buildAuthorizeUrl, getCallbackUrl, openRedirect, openTestBrowser, type ProviderName } from './browser.ts'
import { type Forgery, type MaliciousProvider, startMaliciousProvider } from './malicious-provider.ts'
import {
  brokenUserinfo,
  commonForgeries,
  graphError,
  hangUpAtUserinfo,
  issuerForgeries,
  long,
  messagingForgeries,
  now,
  openidForgeries,
  rejectedUserinfo,
  respondWith,
  rs256Forgeries,
  socialForgeries,
  userinfoFailures,
  userinfoForgeries,
} from './provider-forgeries.ts'
import { createOwnSiteFixture } from './site-fixture.ts'

let maliciousProvider: MaliciousProvider
let identity: ReturnType<typeof openForTest>
beforeAll(async () => {
  maliciousProvider = await startMaliciousProvider()
  return () => maliciousProvider[Symbol.asyncDispose]()
})
const { serviceStack, site, application } = createOwnSiteFixture(() => ({
  providerAuthEnvironment: { PROVIDER_SIMULATOR_URL: maliciousProvider.url },
}))
beforeAll(() => {
  identity = openForTest(serviceStack.database_urls.identity)
  return () => identity[Symbol.asyncDispose]()
})
beforeEach(() => {
  maliciousProvider.forgery = {}
  maliciousProvider.requestCounts.clear()
})

async function logIn(provider: ProviderName, shop = site): Promise<URL> {
  const browser = openTestBrowser()
  const atProvider = await openRedirect(browser, buildAuthorizeUrl(shop, provider))
  return new URL(await openRedirect(browser, await getCallbackUrl(browser, await browser.open(atProvider))))
}

async function countLogins(): Promise<number> {
  const [row] = await identity.knex('login_history').count<{ count: number }[]>()
  return Number(row?.count)
}

/** The application receives an error with its own state, and no login is recorded. */
async function expectLoginError(provider: ProviderName): Promise<void> {
  const before = await countLogins()
  expect(Object.fromEntries((await logIn(provider)).searchParams)).toEqual({
    error: 'server_error',
    error_description: 'Internal server error.',
    state: 'state-of-the-application',
    iss: serviceStack.auth,
  })
  expect(await countLogins()).toBe(before)
}

describe.each<[ProviderName, [string, Forgery][]]>([
  [
    'messaging',
    [...commonForgeries, ...openidForgeries, ...userinfoForgeries, ...issuerForgeries, ...messagingForgeries],
  ],
  ['portal', [...commonForgeries, ...openidForgeries, ...userinfoForgeries, ...issuerForgeries, ...rs256Forgeries]],
  ['social', [...commonForgeries, hangUpAtUserinfo, rejectedUserinfo, ...brokenUserinfo, ...socialForgeries]],
  ['search', [...commonForgeries, ...openidForgeries, ...userinfoForgeries, ...issuerForgeries, ...rs256Forgeries]],
  ['device', [...commonForgeries, ...openidForgeries, ...issuerForgeries, ...rs256Forgeries]],
])('from %s', (provider, lies) => {
  test('a correct response is accepted', async () => {
    const callback = await logIn(provider)
    const claims = await application.claimsOf(callback)
    expect(claims).toMatchObject({ provider, provider_uid: 'person-1' })
  })

  test.each(lies)('%s: no login, server_error to the application', async (_, lie) => {
    maliciousProvider.forgery = lie
    await expectLoginError(provider)
  })

  test.each<[string, Forgery]>([
    ['aud as a list', { claims: (claims) => ({ ...claims, aud: [claims.aud] }) }],
    ['an exp half a minute ago', { claims: (claims) => ({ ...claims, exp: now() - 30 }) }],
    [
      'a user id of 255 characters',
      { claims: (c) => ({ ...c, sub: long(255) }), userinfo: () => ({ sub: long(255), id: long(255) }) },
    ],
    ['no refresh token and no expires_in', { token: (response) => ({ ...response, expires_in: undefined }) }],
    ['expires_in as a text', { token: (response) => ({ ...response, expires_in: '3600' }) }],
    ['an access token of 65535 characters', { token: (response) => ({ ...response, access_token: long(65_535) }) }],
    ['unknown parameters in the callback', { returns: (parameters) => parameters.set('hd', 'example.com') }],
    ['no iss in the callback', { returns: (parameters) => parameters.delete('iss') }],
  ])('%s is allowed', async (_, lie) => {
    maliciousProvider.forgery = lie
    expect((await logIn(provider)).searchParams.get('error')).toBeNull()
  })

  test('a redirect of the token endpoint is not followed, and no request is repeated', async () => {
    const unavailable = (response: ServerResponse) =>
      response.writeHead(307, { location: `${maliciousProvider.url}/${provider}/elsewhere` }).end()
    maliciousProvider.forgery = { instead: { token: unavailable } }
    await expectLoginError(provider)
    expect(maliciousProvider.requestCounts.get('token')).toBe(1)
    expect(maliciousProvider.requestCounts.get('elsewhere')).toBeUndefined()
  })
})

test.each<[ProviderName, string, Forgery]>([
  ['messaging', 'does not respond', { instead: { token: () => {} } }],
  ['social', 'sends single bytes slowly', { instead: { userinfo: drip } }],
])('%s %s: server_error within the deadline', async (provider, _, lie) => {
  maliciousProvider.forgery = lie
  await expectLoginError(provider)
})

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 200)
  response.on('close', () => clearInterval(timer))
}

describe('a key set', () => {
  test('accepts a token without kid if there is one key', async () => {
    maliciousProvider.forgery = { key: ({ rsa }) => ({ alg: 'RS256', key: rsa.private }) }
    expect((await logIn('search')).searchParams.get('error')).toBeNull()
  })

  test('is requested once, however many tokens have an unknown kid', async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      maliciousProvider.forgery = { key: ({ rsa }) => ({ alg: 'RS256', key: rsa.private, kid: `unknown-${attempt}` }) }
      await expectLoginError('search')
    }
    expect(maliciousProvider.requestCounts.get('certs') ?? 0).toBeLessThanOrEqual(1)
  })
})

describe('messaging', () => {
  test.each<[string, Forgery]>([
    ['the friend status', { instead: { status: respondWith(500, {}) } }],
    ['the friend status as text', { instead: { status: respondWith(200, { friendFlag: 'yes' }) } }],
    ['the profile', { instead: { profile: respondWith(401, { message: 'invalid token' }) } }],
    ['either', { instead: { status: (response) => response.destroy(), profile: (response) => response.destroy() } }],
  ])('logs in without %s', async (_, lie) => {
    maliciousProvider.forgery = lie
    expect((await logIn('messaging')).searchParams.get('error')).toBeNull()
  })
})

describe('social', () => {
  test.each<[string, Forgery]>([
    ['refuses', { instead: { exchange: respondWith(400, graphError) } }],
    ['fails', { instead: { exchange: respondWith(500, {}) } }],
    ['returns no token', { instead: { exchange: respondWith(200, {}) } }],
    ['hangs up', { instead: { exchange: (response) => response.destroy() } }],
  ])('logs in with the short-lived token if the exchange for a long-lived one %s', async (_, lie) => {
    maliciousProvider.forgery = lie
    expect((await logIn('social')).searchParams.get('error')).toBeNull()
    expect(maliciousProvider.requestCounts.get('exchange')).toBe(1)
  })

  test('does not exchange a long-lived token', async () => {
    maliciousProvider.forgery = { token: (response) => ({ ...response, expires_in: 5_183_944 }) }
    expect((await logIn('social')).searchParams.get('error')).toBeNull()
    expect(maliciousProvider.requestCounts.get('exchange')).toBeUndefined()
  })

  test('a code of another provider is not exchanged here: the callback belongs to the login that was started', async () => {
    const browser = openTestBrowser()
    const returned = new URL(
      await openRedirect(browser, await openRedirect(browser, buildAuthorizeUrl(site, 'social'))),
    )
    const elsewhere = site.providers.search.provider_callback + returned.search
    expect((await browser.open(elsewhere)).status).toBe(400)
    expect(maliciousProvider.requestCounts.get('token')).toBeUndefined()
  })
})

describe.each<ProviderName>(['messaging', 'portal', 'search'])('%s', (provider) => {
  const challenge = { 'content-type': 'application/json', 'www-authenticate': 'Bearer error="insufficient_scope"' }
  test.each<[string, Forgery]>([
    ...userinfoFailures,
    [
      'a 403 of userinfo and a challenge',
      { instead: { userinfo: (response) => response.writeHead(403, challenge).end('{}') } },
    ],
    ['single bytes of userinfo', { instead: { userinfo: drip } }],
  ])('%s: logs in with only the ID Token, and counts it', async (_, lie) => {
    const before = await countLoginsWithoutProfile(provider)
    maliciousProvider.forgery = lie
    const { id_token, access_token } = await application.redeem(await logIn(provider))
    expect(await application.verify(id_token)).toMatchObject({ provider_uid: 'person-1' })
    expect(await application.userinfo(access_token)).toMatchObject({ name: 'Person One' })
    expect(await countLoginsWithoutProfile(provider)).toBe(before + 1)
  })
})

async function countLoginsWithoutProfile(provider: ProviderName): Promise<number> {
  const [running] = serviceStack.services.provider_auth
  const metrics = await (await fetch(`http://localhost:${running?.operations_port}/metrics`)).text()
  const line = new RegExp(`^sociallogin_logins_without_profile_total\\{.*provider="${provider}".*\\} (\\d+)$`, 'm')
  return Number(line.exec(metrics)?.[1] ?? 0)
}

test('social ignores an iss of the callback, because the provider documents none', async () => {
  maliciousProvider.forgery = { returns: (parameters) => parameters.set('iss', 'https://www.facebook.example') }
  expect((await logIn('social')).searchParams.get('error')).toBeNull()
})

describe('device', () => {
  const nameOf = async (callback: URL) => application.userinfo((await application.redeem(callback)).access_token)
  const received = { email: 'person@one.example', email_verified: true, provider_uid: 'person-1' }

  test('its discovery document is not requested, whatever issuer it names', async () => {
    await logIn('device')
    const requestedSteps = [...maliciousProvider.requestCounts.keys()].filter((step) => step !== 'certs')
    expect(requestedSteps.sort()).toEqual(['authorize', 'token'])
  })

  test.each<[string, string, string | undefined]>([
    [
      'names another id and address',
      '{"sub":"victim","email":"victim@bank.example","name":{"firstName":"Eve"}}',
      'Eve',
    ],
    ['has the account ID as name', '{"name":{"firstName":"Eve","sub":"victim","email":"v@bank.example"}}', 'Eve'],
    ['has invalid names', '{"name":{"firstName":{"toString":1},"lastName":["x"]}}', undefined],
    ['has a name that cannot be stored', '{"name":{"firstName":"\\u0000","lastName":"\\ud800"}}', undefined],
    ['has our own claims', '{"first_name":"Eve","email_verified":true,"profile":{"full_name":"Eve"}}', undefined],
    ['is a list', '[]', undefined],
    ['is null', 'null', undefined],
    ['is empty', '', undefined],
    ['is not JSON', '{"name":', undefined],
    ['is deep', '['.repeat(1_000), undefined],
  ])('a user that %s supplies at most a name', async (_, user, name) => {
    maliciousProvider.forgery = { returns: (parameters) => parameters.set('user', user) }
    const claims = await nameOf(await logIn('device'))
    expect(claims).toMatchObject(received)
    expect(claims.name).toBe(name)
  })

  test.each<[string, Forgery]>([
    ['"false"', { claims: (claims) => ({ ...claims, email_verified: 'false' }) }],
    ['"TRUE"', { claims: (claims) => ({ ...claims, email_verified: 'TRUE' }) }],
    ['1', { claims: (claims) => ({ ...claims, email_verified: 1 }) }],
    ['absent', { claims: (claims) => ({ ...claims, email_verified: undefined }) }],
  ])('an email_verified that is %s verifies nothing', async (_, lie) => {
    maliciousProvider.forgery = lie
    expect(await nameOf(await logIn('device'))).toMatchObject({ email_verified: false })
  })
})

test('a status message that messaging does not supply at a login keeps its stored value', async () => {
  const shop = await seedSite(serviceStack)
  const identifier = await applicationOf(serviceStack, shop).userOf(await logIn('messaging', shop))
  const readStored = async () => {
    const { profile } = await serviceStack.profile.readProfile({ site: shop.site, identifier }, serviceStack.call())
    return { bio: profile.bio, logins: profile.update_count }
  }
  await expect.poll(readStored).toEqual({ bio: 'hello', logins: 1 })
  maliciousProvider.forgery = { instead: { profile: respondWith(500, {}) } }
  await logIn('messaging', shop)
  await expect.poll(readStored).toEqual({ bio: 'hello', logins: 2 })
})
