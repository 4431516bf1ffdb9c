import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { newApiKey } from '#runtime'
import {
  type DnsServer,
  openForTest,
  type SeededSite,
  type ServiceStack,
  seedSite,
  startForTest,
  waitFor,
} from '#testing'
import { issuerAt, proveHost, startHostStack } from '../../provider-auth/test/host-fixture.ts'
import { readConfig } from '../config.ts'
import { service } from '../service.ts'
import { createCaller, errorResponses, sendRequest } from './caller.ts'
import { sendRawRequest } from './raw-request.ts'
import { createTestUser } from './stage.ts'

const stack = new AsyncDisposableStack()
const gatewayEnvironment = { WEB_API_URL: 'https://api.example.com:8443' }
let serviceStack: ServiceStack
let dns: DnsServer
let shop: SeededSite
let bank: SeededSite
beforeAll(async () => {
  ;({ serviceStack, dns } = await startHostStack(stack, { gatewayEnvironment }))
  shop = await seedSite(serviceStack)
  bank = await seedSite(serviceStack)
  await proveHost(serviceStack, dns, shop, 'login.shop.localhost')
  await proveApiHost(shop, 'api.shop.localhost')
})
afterAll(() => stack.disposeAsync())

const namesOf = ({ site, account, site_id }: SeededSite) => ({ site, account, site_id })

/** The base URL at a host that leads to a gateway. */
function toUrl(host: string, gateway = serviceStack.web_api): string {
  return `http://${host}:${new URL(gateway).port}/api`
}

/** Calls `appinfo` at a host, with the key of a site. */
function callAt(host: string, { api_key }: Pick<SeededSite, 'api_key'>) {
  return createCaller(toUrl(host), api_key).get('appinfo')
}

/** Calls `appinfo` with a `Host` field as it is, and with the key of a site. */
function callWith(headers: Record<string, string>, { api_key }: Pick<SeededSite, 'api_key'>) {
  return sendRawRequest(serviceStack.web_api, { path: `/api/appinfo?key=${api_key}`, headers })
}

/** Proves a host of the Web API for a site; returns once the gateway has it. */
async function proveApiHost(site: SeededSite, host: string): Promise<void> {
  const other = site === shop ? bank : shop
  await proveHost(serviceStack, dns, site, host, 'api')
  // Hooks cannot poll with `expect`.
  await waitFor(async () => {
    expect(await callAt(host, other)).toMatchObject(errorResponses.invalid_api_key)
    expect(await callAt(host, site)).toMatchObject({ status: 200 })
  })
}

describe('a request on a site’s host', () => {
  test('gets a next_uri on this host, with the scheme and the port of WEB_API_URL', async () => {
    const onHost = createCaller(toUrl('api.shop.localhost'), shop.api_key)
    for (const _ of [1, 2]) await createTestUser(onHost)
    const nextUri = async (webApi: string) => {
      const { body } = await createCaller(webApi, shop.api_key).get('users', { limit: '1' })
      return z.object({ next_uri: z.string() }).parse(body).next_uri
    }
    const next = await nextUri(toUrl('api.shop.localhost'))
    expect(next).toMatch(/^https:\/\/api\.shop\.localhost:8443\/api\/users\?/)
    expect(await sendRequest(toUrl('api.shop.localhost') + next.slice(next.indexOf('/users?')))).toMatchObject({
      status: 200,
      body: { size: 1 },
    })
    expect(await nextUri(serviceStack.web_api)).toMatch(/^https:\/\/api\.example\.com:8443\/api\/users\?/)
  })

  test('gets an authenticate_uri on the site’s own login host', async () => {
    const identifier = await createTestUser(createCaller(serviceStack.web_api, shop.api_key))
    const issue = async (webApi: string) => {
      const parameters = { identifier, target_provider: 'search' }
      const { body } = await createCaller(webApi, shop.api_key).get('association_token', parameters)
      return new URL(z.object({ authenticate_uri: z.string() }).parse(body).authenticate_uri).origin
    }
    expect(await issue(toUrl('api.shop.localhost'))).toBe(issuerAt(serviceStack, 'login.shop.localhost'))
    expect(await issue(serviceStack.web_api)).toBe(serviceStack.auth)
  })

  test('gets 401/1 with the key of another site, as with an unknown one, wherever the key is', async () => {
    const address = `${toUrl('api.shop.localhost')}/appinfo`
    const sendEach = (key: string) =>
      Promise.all([
        sendRequest(`${address}?key=${key}`),
        sendRequest(address, { method: 'POST', body: new URLSearchParams({ key }) }),
        sendRequest(address, { method: 'POST', headers: { 'x-api-key': key }, body: new URLSearchParams() }),
        sendRequest(address, { headers: { 'x-api-key': key } }),
        sendRequest(address, { headers: { authorization: `Bearer ${key}` } }),
      ])
    const isServed = (await sendEach(shop.api_key)).map(({ status }) => status === 200)
    expect(isServed).toEqual(isServed.map(() => true))
    const [ofBank, ofNobody] = [await sendEach(bank.api_key), await sendEach(newApiKey())]
    expect(ofBank.map(({ status, body }) => ({ status, body }))).toEqual(
      ofNobody.map(({ status, body }) => ({ status, body })),
    )
    for (const response of [...ofBank, await sendRequest(address)])
      expect(response).toMatchObject(errorResponses.invalid_api_key)
    expect([...(ofBank[0]?.headers.keys() ?? [])]).toEqual([...(ofNobody[0]?.headers.keys() ?? [])])
  })

  test('gets 401/1 with the key of another site that reached its limit or has short errors', async () => {
    const { identity, call, web_api } = serviceStack
    const { site, api_key } = await seedSite(serviceStack)
    await identity.changeSite({ site, requests_per_window: 1, compatibility: ['short_errors'] }, call())
    const init = { headers: { authorization: `Bearer ${api_key}` } }
    await expect.poll(() => sendRequest(`${web_api}/appinfo`, init)).toMatchObject({ status: 429 })
    const { status, body } = await sendRequest(`${toUrl('api.shop.localhost')}/appinfo`, init)
    expect({ status, body }).toMatchObject(errorResponses.invalid_api_key)
    expect(body).toEqual((await callAt('api.shop.localhost', { api_key: newApiKey() })).body)
  })

  test('is also served at WEB_API_URL', async () => {
    expect(await callWith({ host: 'api.example.com:8443' }, shop)).toMatchObject({ status: 200 })
  })
})

describe('the name of a host', () => {
  test.each(['API.Shop.Localhost', 'api.shop.localhost:1', 'api.shop.localhost.', 'api.shop.localhost.:8443'])(
    'is compared without port, case and final dot: %s',
    async (host) => {
      expect(await callWith({ host }, shop)).toMatchObject({ status: 200 })
      expect(await callWith({ host }, bank)).toMatchObject(errorResponses.invalid_api_key)
    },
  )

  test.each(['127.0.0.1', '[::1]', 'evil.example', 'api.shop.localhost.evil.example', 'x.api.shop.localhost'])(
    '%s is served as WEB_API_URL',
    async (host) => {
      const webApi = createCaller(serviceStack.web_api, bank.api_key)
      for (const _ of [1, 2]) await createTestUser(webApi)
      const { status, body } = await sendRawRequest(serviceStack.web_api, {
        path: `/api/users?key=${bank.api_key}&limit=1`,
        headers: { host },
      })
      expect({ status, body }).toMatchObject({ status: 200, body: { next_uri: expect.any(String) } })
      expect(z.object({ next_uri: z.string() }).parse(body).next_uri).toContain('https://api.example.com:8443/api/')
    },
  )

  test('X-Forwarded-Host and Forwarded are ignored', async () => {
    const forwarded = (host: string) => ({ 'x-forwarded-host': host, forwarded: `host=${host}` })
    const { host } = new URL(gatewayEnvironment.WEB_API_URL)
    expect(await callWith({ host, ...forwarded('api.shop.localhost') }, bank)).toMatchObject({ status: 200 })
    expect(await callWith({ host: 'api.shop.localhost', ...forwarded(host) }, bank)).toMatchObject(
      errorResponses.invalid_api_key,
    )
  })

  test('that a site only claims is served as WEB_API_URL', async () => {
    const { provider_auth, call } = serviceStack
    await provider_auth.addHost({ ...namesOf(bank), host: 'api.library.localhost', purpose: 'api' }, call())
    // The gateway reads changes in their order.
    await proveApiHost(shop, 'api.museum.localhost')
    expect(await callAt('api.library.localhost', shop)).toMatchObject({ status: 200 })
  })
})

describe('a host that is not in use any more', () => {
  test('gets 401/1 with every key after the site released it, until another site proves it', async () => {
    const host = 'api.released.localhost'
    const { provider_auth, call } = serviceStack
    await proveApiHost(shop, host)
    await provider_auth.removeHost({ ...namesOf(shop), host }, call())
    await expect.poll(() => callAt(host, shop)).toMatchObject(errorResponses.invalid_api_key)
    expect(await callAt(host, bank)).toMatchObject(errorResponses.invalid_api_key)
    const authorization = `Bearer ${shop.api_key}`
    expect(await sendRequest(`${toUrl(host)}/appinfo`, { headers: { authorization } })).toMatchObject(
      errorResponses.invalid_api_key,
    )
    await proveApiHost(bank, host)
    expect(await callAt(host, shop)).toMatchObject(errorResponses.invalid_api_key)
  })

  test('gets 401/1 with every key while its proof is missing for too long', async () => {
    const host = 'api.suspended.localhost'
    const { provider_auth, call, database_urls } = serviceStack
    await proveApiHost(shop, host)
    dns.setTxt(`_social-login.${host}`, [])
    await using database = openForTest(database_urls.provider_auth)
    await database.knex('site_hosts').where({ host }).update({ failing_since: '2026-01-01T00:00:00Z' })
    await provider_auth.checkHost({ ...namesOf(shop), host }, call())
    await expect.poll(() => callAt(host, shop)).toMatchObject(errorResponses.invalid_api_key)
    expect(await callAt(host, bank)).toMatchObject(errorResponses.invalid_api_key)
    await proveApiHost(shop, host)
  })
})

test('a gateway starts without provider-auth and serves hosts as WEB_API_URL until it has read them', async () => {
  await using started = new AsyncDisposableStack()
  const environment = {
    NATS_URL: serviceStack.nats.url,
    REDIS_URL: serviceStack.redis.url,
    PORT: '0',
    CURSOR_KEY: randomBytes(32).toString('base64'),
    ...gatewayEnvironment,
  }
  const startGateway = async () => {
    await using _ = await serviceStack.stopService('provider-auth')
    const gateway = await startForTest('api-gateway', { readConfig, service }, environment)
    started.defer(() => gateway.stop())
    const webApi = toUrl('api.shop.localhost', `http://localhost:${gateway.exposed.port}`)
    const caller = createCaller(webApi, bank.api_key)
    expect(await caller.get('appinfo')).toMatchObject({ status: 200 })
    return caller
  }
  const caller = await startGateway()
  await expect.poll(() => caller.get('appinfo')).toMatchObject(errorResponses.invalid_api_key)
})
