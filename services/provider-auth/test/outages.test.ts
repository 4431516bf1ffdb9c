import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Fault } from '#contracts'
import { openForTest, seedSite, startConstellation } from '#testing'
import { authorizeAddress, locationOf, logIn, openTestBrowser } from './browser.ts'
import { type Logins, startLogins, type TestClient } from './logins.ts'

let logins: Logins
let client: TestClient
beforeAll(async () => {
  logins = await startLogins()
  client = await logins.registerClient()
})
afterAll(() => logins[Symbol.asyncDispose]())

async function missing(): Promise<string> {
  const [provider_auth] = logins.constellation.services.provider_auth
  return (await fetch(`http://localhost:${provider_auth?.operations_port}/readyz`)).text()
}

test('ready when Postgres, Redis and NATS are there', async () => {
  expect(await missing()).toBe('ready\n')
})

test('503 while identity is away; the code is not spent, and redeems when it is back', async () => {
  const { code } = await logins.endLogin(client.client_id)
  const { access_token } = await logins.fetchTokens(client, (await logins.endLogin(client.client_id)).code)
  await logins.constellation.nats.stop()
  for (const response of [await logins.redeem(client, code), await logins.userinfo(access_token)]) {
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
  }
  expect(await missing()).toBe('not ready: bus\n')
  await logins.constellation.nats.start()
  await expect.poll(missing, { timeout: 10_000 }).toBe('ready\n')
  // Identity's own connection comes back at its own time.
  await expect.poll(async () => (await logins.userinfo(access_token)).status, { timeout: 10_000 }).toBe(200)
  expect((await logins.redeem(client, code)).status).toBe(200)
})

test('tokens are issued while Redis is away', async () => {
  const { code } = await logins.endLogin(client.client_id)
  await logins.constellation.redis.stop()
  await expect.poll(missing).toBe('not ready: redis\n')
  expect((await logins.redeem(client, code)).status).toBe(200)
  await logins.constellation.redis.start()
  await expect.poll(missing, { timeout: 10_000 }).toBe('ready\n')
})

test('ID-6: discovery and keys are served while Postgres is away; 503 elsewhere: an error of OAuth, or a page', async () => {
  await using superuser = openForTest(inject('postgres_url'))
  const name = new URL(logins.constellation.database_urls.provider_auth).pathname.slice(1)
  const allow = (allowed: boolean) =>
    superuser.knex.raw(`alter database ?? connection limit ${allowed ? -1 : 0}`, [name])
  await allow(false)
  await superuser.knex.raw('select pg_terminate_backend(pid) from pg_stat_activity where datname = ?', [name])

  for (const path of ['/.well-known/openid-configuration', '/oauth2/jwks'])
    expect((await fetch(`${logins.auth}${path}`)).status).toBe(200)
  const refused = await logins.redeem(client, 'slac_x')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await refused.json()).toEqual({
    error: 'temporarily_unavailable',
    error_description: 'Service temporarily unavailable.',
  })
  for (const path of ['oauth2/authorize/search/x', 'test/shop/search/authenticate', 'test/shop/search/associate']) {
    const shown = await fetch(`${logins.auth}/${path}?client_id=x&callback=x`)
    expect(shown.status).toBe(503)
    expect(shown.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await shown.text()).toContain('Service temporarily unavailable.')
  }
  const question = logins.constellation.provider_auth.listProviders({ site: 1 }, logins.constellation.call())
  await expect(question).rejects.toEqual(new Fault('unavailable'))
  await expect.poll(missing, { timeout: 10_000 }).toBe('not ready: database\n')

  await allow(true)
  await expect.poll(missing, { timeout: 10_000 }).toBe('ready\n')
  expect((await logins.redeem(client, 'slac_x')).status).toBe(400)
})

test.each([
  ['Postgres', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }],
  ['Redis', { REDIS_URL: 'redis://127.0.0.1:1' }],
  ['NATS', { NATS_URL: 'nats://127.0.0.1:1' }],
])('a replica does not start without %s', async (_, changes) => {
  await expect(logins.startReplica(changes)).rejects.toThrow(/ECONNREFUSED|connection refused/i)
})

test('server_error for prompt=none while identity is away', async () => {
  await using own = await startConstellation()
  const shop = await seedSite(own)
  const browser = openTestBrowser()
  await logIn(browser, authorizeAddress(shop, 'search'))
  await Promise.all(own.services.identity.map(({ stop }) => stop()))
  const { searchParams } = new URL(locationOf(await browser.open(authorizeAddress(shop, 'search', { prompt: 'none' }))))
  expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'server_error' })
})
