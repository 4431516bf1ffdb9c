import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Fault } from '#contracts'
import { openForTest, runsAsOneProcess, type SeededSite, seedSite, waitFor } from '#testing'
import { applicationOf } from './application.ts'
import {
  buildAuthorizeUrl,
  getLocation,
  logInWith,
  openRedirect,
  openTestBrowser,
  submitLinkDecision,
  submitProviderSignIn,
  type TestBrowser,
} from './browser.ts'
import { createLinkSteps } from './link-steps.ts'
import { createOwnLoginsFixture, type TestClient } from './logins.ts'

const logins = createOwnLoginsFixture()
let client: TestClient
let shop: SeededSite
beforeAll(async () => {
  client = await logins.registerClient()
  shop = await seedSite(logins.serviceStack)
})

async function readOperations(path: string): Promise<string> {
  const [providerAuth] = logins.serviceStack.services.provider_auth
  return (await fetch(`http://localhost:${providerAuth?.operations_port}/${path}`)).text()
}

const missing = () => readOperations('readyz')

async function isRedisConnected(): Promise<boolean> {
  return /^sociallogin_redis_connected\{.*\} 1$/m.test(await readOperations('metrics'))
}

test('ready when Postgres and NATS are available', async () => {
  expect(await missing()).toBe('ready\n')
})

/** Whether identity responds again; its connection to NATS recovers separately. */
const isIdentityBack = () =>
  logins.serviceStack.identity.listAccounts({}, logins.serviceStack.call()).then(
    () => true,
    () => false,
  )

// Identity is unavailable without NATS only if it runs in another process.
test.skipIf(runsAsOneProcess)(
  '503 while identity is unavailable; the code is not used, and can be redeemed afterwards',
  async () => {
    const { code } = await logins.endLogin(client.client_id)
    const { access_token } = await logins.fetchTokens(client, (await logins.endLogin(client.client_id)).code)
    await logins.serviceStack.nats.stop()
    for (const response of [await logins.redeem(client, code), await logins.userinfo(access_token)]) {
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
    }
    expect(await missing()).toBe('not ready: bus\n')
    await logins.serviceStack.nats.start()
    await expect.poll(missing).toBe('ready\n')
    await expect.poll(isIdentityBack).toBe(true)
    expect((await logins.userinfo(access_token)).status).toBe(200)
    expect((await logins.redeem(client, code)).status).toBe(200)
  },
)

test('a code whose token could not be stored is not used, and can be redeemed afterwards', async () => {
  const { code } = await logins.endLogin(client.client_id)
  const { knex } = logins
  await knex.schema.renameTable('access_tokens', 'access_tokens_away')
  const failed = await logins.redeem(client, code)
  await knex.schema.renameTable('access_tokens_away', 'access_tokens')
  expect(failed.status).toBe(500)
  expect((await logins.redeem(client, code)).status).toBe(200)
})

// Identity is unavailable without NATS only if it runs in another process.
test.skipIf(runsAsOneProcess)(
  'server_error to the application if identity is unavailable at the callback; a new login completes',
  async () => {
    const browser = openTestBrowser()
    const callbacks: string[] = []
    for (const _ of [1, 2]) {
      callbacks.push(
        await submitProviderSignIn(browser, await openRedirect(browser, buildAuthorizeUrl(shop, 'search'))),
      )
    }
    await logins.serviceStack.nats.stop()
    const redirected = new URL(await openRedirect(browser, callbacks[0] ?? ''))
    expect(Object.fromEntries(redirected.searchParams)).toMatchObject({
      error: 'server_error',
      state: 'state-of-the-application',
    })
    await logins.serviceStack.nats.start()
    await expect.poll(missing).toBe('ready\n')
    await expect.poll(isIdentityBack).toBe(true)
    const back = new URL(await openRedirect(browser, callbacks[1] ?? ''))
    expect(back.searchParams.has('code')).toBe(true)
  },
)

describe('while Redis is unavailable', () => {
  const goodbye = 'https://shop.example.com/goodbye'
  const linker = createLinkSteps(() => ({ serviceStack: logins.serviceStack, site: shop }))
  let code: string
  let linkAddress: string
  interface SignedIn {
    readonly browser: TestBrowser
    readonly id_token: string
  }
  /** Two browsers with a session, because a logout ends the session of its browser. */
  let staying: SignedIn
  let leaving: SignedIn
  const openSession = async (): Promise<SignedIn> => {
    const browser = openTestBrowser()
    const callback = await logInWith(shop, 'messaging', { browser, parameters: { nonce: 'n' } })
    const { id_token } = await applicationOf(logins.serviceStack, shop).redeem(callback)
    return { browser, id_token }
  }
  beforeAll(async () => {
    const { serviceStack } = logins
    const { site, client: application } = shop
    await serviceStack.provider_auth.changeClient(
      { site, client_id: application.client_id, expected_revision: 1, post_logout_redirect_uris: [goodbye] },
      serviceStack.call(),
    )
    code = (await logins.endLogin(client.client_id)).code
    linkAddress = await linker.addressFor(await linker.newUser())
    ;[staying, leaving] = [await openSession(), await openSession()]
    await serviceStack.redis.stop()
    await waitFor(async () => expect(await isRedisConnected()).toBe(false))
  })
  afterAll(async () => {
    await logins.serviceStack.redis.start()
    await waitFor(async () => expect(await isRedisConnected()).toBe(true))
  })

  test('the process stays ready, because logins need no Redis', async () => {
    expect(await missing()).toBe('ready\n')
    const { searchParams } = await logInWith(shop, 'messaging')
    expect(searchParams.has('code')).toBe(true)
  })

  test('tokens are issued while Redis is unavailable', async () => {
    expect((await logins.redeem(client, code)).status).toBe(200)
  })

  test('a login redirects to the provider while Redis is unavailable; server_error if a session must be read', async () => {
    const { simulator, auth } = logins.serviceStack
    expect(getLocation(await openTestBrowser().open(buildAuthorizeUrl(shop, 'messaging')))).toMatch(simulator)
    const silent = buildAuthorizeUrl(shop, 'messaging', { prompt: 'none' })
    const location = new URL(getLocation(await staying.browser.open(silent)))
    expect(location.origin + location.pathname).toBe(shop.client.redirect_uri)
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: 'server_error',
      error_description: 'Internal server error.',
      state: 'state-of-the-application',
      iss: auth,
    })
  })

  test('a link redirects to the provider, because starting a login does not need Redis', async () => {
    const started = await submitLinkDecision(openTestBrowser(), linkAddress)
    expect(started.headers.get('location')).toMatch(logins.serviceStack.simulator)
  })

  test('a logout with id_token_hint deletes the session cookie', async () => {
    const { browser, id_token } = leaving
    const parameters = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: goodbye })
    const response = await browser.open(`${logins.auth}/oauth2/logout?${parameters}`)
    expect(response.headers.get('location')).toBe(goodbye)
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('session-'))).toEqual([])
  })
})

test('500 page without details if the client cannot be looked up', async () => {
  // One that is not in memory.
  const { client_id } = await logins.registerClient()
  await logins.knex.schema.renameTable('clients', 'clients_away')
  const response = await openTestBrowser().open(buildAuthorizeUrl(shop, 'messaging', { client_id }))
  await logins.knex.schema.renameTable('clients_away', 'clients')
  expect(response.status).toBe(500)
  expect(response.headers.get('location')).toBeNull()
  expect(response.headers.getSetCookie()).toEqual([])
  expect(await response.text()).toContain('<p class="message">Internal server error.</p>')
})

test('discovery and keys are served while Postgres is unavailable; otherwise 503 with an OAuth error or a page', async () => {
  await using superuser = openForTest(inject('postgres_url'))
  const name = new URL(logins.serviceStack.database_urls.provider_auth).pathname.slice(1)
  const allow = (allowed: boolean) =>
    superuser.knex.raw(`alter database ?? connection limit ${allowed ? -1 : 0}`, [name])
  await allow(false)
  await superuser.knex.raw('select pg_terminate_backend(pid) from pg_stat_activity where datname = ?', [name])

  for (const path of ['/.well-known/openid-configuration', '/oauth2/jwks'])
    expect((await fetch(`${logins.auth}${path}`)).status).toBe(200)
  const rejected = await logins.redeem(client, 'slac_x')
  expect(rejected.status).toBe(503)
  expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await rejected.json()).toEqual({
    error: 'temporarily_unavailable',
    error_description: 'Service temporarily unavailable.',
  })
  for (const path of [
    'oauth2/authorize/search/x',
    'oauth2/callback/search/x',
    'oauth2/webhooks/social/x/data_deletion/x',
    'test/shop/search/authenticate',
    'test/shop/search/associate',
  ]) {
    const shown = await fetch(`${logins.auth}/${path}?client_id=x&callback=x`)
    expect(shown.status).toBe(503)
    expect(shown.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await shown.text()).toContain('Service temporarily unavailable.')
  }
  const question = logins.serviceStack.provider_auth.listProviders({ site: 1 }, logins.serviceStack.call())
  await expect(question).rejects.toEqual(new Fault('unavailable'))
  await expect.poll(missing).toBe('not ready: database\n')

  await allow(true)
  await expect.poll(missing).toBe('ready\n')
  expect((await logins.redeem(client, 'slac_x')).status).toBe(400)
})

test.each([
  ['Postgres', { DATABASE_URL: 'postgres://unknown@127.0.0.1:1/nothing' }],
  ['Redis', { REDIS_URL: 'redis://127.0.0.1:1' }],
  ['NATS', { NATS_URL: 'nats://127.0.0.1:1' }],
])('a replica does not start without %s', async (_, changes) => {
  await expect(logins.startReplica(changes)).rejects.toThrow(/ECONNREFUSED|connection refused/i)
})
