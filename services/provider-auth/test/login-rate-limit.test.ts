import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { builtInLoginProviders } from '#contracts'
import type { RunningService } from '#runtime'
import { inspectRedis, type RedisInspector, type SeededSite, seedSite } from '#testing'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  buildLinkUrl,
  getLocation,
  logIn,
  logInWith,
  openRedirect,
  openTestBrowser,
  submitLinkDecision,
  submitProviderSignIn,
} from './browser.ts'
import { createOwnLoginsFixture } from './logins.ts'

const perAddress = 30

const logins = createOwnLoginsFixture()
let site: SeededSite
let redis: RedisInspector
/** Behind a proxy, so that tests can set the address of requests. */
let replicas: RunningService<{ port: number }>[]
beforeAll(async () => {
  site = await seedSite(logins.serviceStack)
  redis = await inspectRedis(logins.serviceStack.redis.url)
  const settings = { TRUSTED_PROXY_HOPS: '1', LOGINS_PER_ADDRESS: String(perAddress) }
  replicas = await Promise.all([1, 2].map(() => logins.startReplica(settings)))
})
afterAll(async () => {
  redis[Symbol.dispose]()
  await Promise.all(replicas.map(({ stop }) => stop()))
})

/** An authorization request through a proxy, at one of the replicas. */
async function start(
  from: string,
  { replica = 0, language = 'en', address = buildAuthorizeUrl(site, 'search') } = {},
): Promise<Response> {
  const { pathname, search } = new URL(address)
  return fetch(`http://localhost:${replicas[replica]?.exposed.port}${pathname}${search}`, {
    redirect: 'manual',
    headers: { 'x-forwarded-for': from, 'accept-language': language },
  })
}

/** Starts as many logins as the limit allows, at both replicas in turn. */
async function useUp(from: string): Promise<void> {
  for (let login = 0; login < perAddress; login++) expect((await start(from, { replica: login % 2 })).status).toBe(302)
}

/** Makes Redis reject writes. */
async function fillMemory(): Promise<void> {
  await redis.onEach((master) => master.config('SET', 'maxmemory-policy', 'noeviction'))
  await redis.onEach((master) => master.config('SET', 'maxmemory', '1'))
}

async function keysByKind(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const key of await redis.listKeys()) {
    const kind = key.split(':').slice(0, 2).join(':')
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

describe('started logins leave nothing in Redis', () => {
  test('after 2,000 logins through every provider with the longest parameters', async () => {
    await using unlimited = await running({ LOGINS_PER_ADDRESS: '0' })
    const before = await keysByKind()
    const address = (login: number) => {
      const provider = builtInLoginProviders[login % builtInLoginProviders.length] ?? 'search'
      const { pathname, search } = new URL(
        buildAuthorizeUrl(site, provider, { state: 's'.repeat(2_048), nonce: 'n'.repeat(512) }),
      )
      return unlimited.base + pathname + search
    }
    for (let login = 0; login < 2_000; login += 20) {
      const started = Array.from({ length: 20 }, (_, index) => fetch(address(login + index), { redirect: 'manual' }))
      for (const response of await Promise.all(started)) expect(response.status).toBe(302)
    }
    // Keys of earlier tests expire meanwhile.
    const grown = Object.entries(await keysByKind()).filter(([kind, count]) => count > (before[kind] ?? 0))
    expect(grown).toEqual([])
  })

  test('except one small key for ten minutes after the callback, because a login can be used once', async () => {
    await redis.onEach((master) => master.flushall())
    const browser = openTestBrowser()
    const address = buildAuthorizeUrl(site, 'search')
    await logIn(browser, address)
    const [key = '', ...others] = (await redis.listKeys()).filter((name) => name.includes('used-login'))
    expect(others).toEqual([])
    expect(await redis.client.strlen(key)).toBeLessThan(20)
    expect(await redis.client.ttl(key)).toBeGreaterThan(0)
    expect(await redis.client.ttl(key)).toBeLessThanOrEqual(601)
  })

  test('a started login does not need Redis', async () => {
    const browser = openTestBrowser()
    const callback = await submitProviderSignIn(browser, await openRedirect(browser, buildAuthorizeUrl(site, 'search')))
    await redis.onEach((master) => master.flushall())
    expect(new URL(await openRedirect(browser, callback)).searchParams.has('code')).toBe(true)
  })

  test('and works when Redis is full', async () => {
    await fillMemory()
    try {
      await expect(redis.client.set('anything', 'x')).rejects.toThrow(/OOM/)
      for (const provider of builtInLoginProviders) {
        const browser = openTestBrowser()
        const callback = await logInWith(site, provider, { browser })
        expect([provider, callback.searchParams.has('code')]).toEqual([provider, true])
      }
      const browser = openTestBrowser()
      const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'search'))
      const callback = await submitProviderSignIn(browser, atProvider)
      const cookies = new Map(browser.cookies)
      await openRedirect(browser, callback)
      for (const [name, value] of cookies) browser.cookies.set(name, value)
      expect((await browser.open(callback)).status).toBe(400)
    } finally {
      await redis.onEach((master) => master.config('SET', 'maxmemory', '0'))
    }
  })
})

/** A separate replica, stopped at the end of a test. */
async function running(settings: Record<string, string>) {
  const replica = await logins.startReplica(settings)
  return {
    base: `http://localhost:${replica.exposed.port}`,
    [Symbol.asyncDispose]: async () => void (await replica.stop()),
  }
}

describe('429 page for an address that starts too many logins', () => {
  test.each([
    ['en', 'Too many logins', /^Too many logins were started from your network/],
    ['ja', 'ログインの回数が多すぎます', /^お使いのネットワークから開始されたログインの回数/],
  ])('is in %s, has Retry-After, and counts across replicas', async (language, heading, message) => {
    const from = language === 'en' ? '198.51.100.1' : '198.51.100.2'
    await useUp(from)
    for (const replica of [0, 1]) {
      const limited = await start(from, { replica, language })
      expect(limited.status).toBe(429)
      expect(limited.headers.get('location')).toBeNull()
      expect(limited.headers.getSetCookie()).toEqual([])
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(61)
      const html = await limited.text()
      expect(html).toContain(heading)
      expect(/<p class="message"[^>]*>([^<]*)/.exec(html)?.[1]).toMatch(message)
    }
  })

  test('limits an IPv6 network as a whole, and no other address', async () => {
    await useUp('2001:db8:1:2::1')
    expect((await start('2001:db8:1:2:ffff::9')).status).toBe(429)
    expect((await start('2001:db8:1:3::1')).status).toBe(302)
    expect((await start('198.51.100.3')).status).toBe(302)
  })

  test('counts logins at the site’s own login pages, but no requests that start no login', async () => {
    const page = buildAuthenticateUrl(logins.serviceStack, site, 'search')
    const silent = buildAuthorizeUrl(site, 'search', { prompt: 'none' })
    const wrong = buildAuthorizeUrl(site, 'search', { scope: 'gold' })
    for (let request = 0; request < perAddress; request++)
      for (const address of [silent, wrong]) expect((await start('198.51.100.4', { address })).status).toBe(302)
    for (let login = 0; login < perAddress; login++)
      expect((await start('198.51.100.4', { address: page })).status).toBe(302)
    expect((await start('198.51.100.4', { address: page })).status).toBe(429)
    expect((await start('198.51.100.4')).status).toBe(429)
    expect((await start('198.51.100.4', { address: silent })).status).toBe(302)
  })

  test('does not limit callers of unknown address, who would share one limit', async () => {
    for (let login = 0; login <= perAddress; login++) expect((await start('unknown')).status).toBe(302)
  })

  test('increments sociallogin_login_starts_limited_total', async () => {
    await useUp('198.51.100.5')
    const before = await countLimited('redis')
    await start('198.51.100.5')
    expect(await countLimited('redis')).toBe(before + 1)
  })

  test('limits per replica while Redis cannot write', async () => {
    await fillMemory()
    try {
      for (let login = 0; login < perAddress; login++) expect((await start('198.51.100.6')).status).toBe(302)
      expect((await start('198.51.100.6')).status).toBe(429)
      expect((await start('198.51.100.6', { replica: 1 })).status).toBe(302)
      expect(await countLimited('memory')).toBe(1)
    } finally {
      await redis.onEach((master) => master.config('SET', 'maxmemory', '0'))
    }
  })
})

/** The lines of a replica's metric. */
async function readMetric(
  { operations_port }: Pick<RunningService<unknown>, 'operations_port'>,
  name: string,
): Promise<string[]> {
  const metrics = await (await fetch(`http://localhost:${operations_port}/metrics`)).text()
  return metrics.split('\n').filter((line) => line.startsWith(name))
}

async function countLimited(countedIn: string): Promise<number> {
  const [replica] = replicas
  const lines = replica ? await readMetric(replica, 'sociallogin_login_starts_limited_total') : []
  return Number(
    lines
      .find((line) => line.includes(`counted_in="${countedIn}"`))
      ?.split(' ')
      .at(-1) ?? 0,
  )
}

describe('the cookies of started logins', () => {
  const sizeOf = (cookies: ReadonlyMap<string, string>) =>
    [...cookies].map(([name, value]) => `${name}=${value}`).join('; ').length

  test('stay below 6 kB for any number of logins and length of parameters, because the oldest logins end', async () => {
    const browser = openTestBrowser()
    const long = { state: '"'.repeat(2_048), nonce: '\\'.repeat(512) }
    for (let login = 0; login < 12; login++) {
      await openRedirect(browser, buildAuthorizeUrl(site, 'search', login % 3 === 0 ? long : {}))
      expect(sizeOf(browser.cookies)).toBeLessThan(6_000)
      for (const [name, value] of browser.cookies) expect(name.length + value.length).toBeLessThanOrEqual(4_096)
    }
  })

  test('store the longest parameters and return them unchanged', async () => {
    const state = '"\\'.repeat(1_024)
    const browser = openTestBrowser()
    const callback = await logInWith(site, 'search', { browser, parameters: { state, nonce: 'n'.repeat(512) } })
    expect(callback.searchParams.get('state')).toBe(state)
    expect(callback.searchParams.has('code')).toBe(true)
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('login-'))).toEqual([])
  })

  test('let logins of several tabs finish in any order', async () => {
    const browser = openTestBrowser()
    const atProviders: string[] = []
    for (let tab = 0; tab < 4; tab++) atProviders.push(await openRedirect(browser, buildAuthorizeUrl(site, 'search')))
    for (const atProvider of atProviders.reverse()) {
      const callback = new URL(await openRedirect(browser, await submitProviderSignIn(browser, atProvider)))
      expect(callback.searchParams.has('code')).toBe(true)
    }
  })

  test('are rejected with an error page under the name of another login', async () => {
    const browser = openTestBrowser()
    const [one, other] = [
      await openRedirect(browser, buildAuthorizeUrl(site, 'search')),
      await openRedirect(browser, buildAuthorizeUrl(site, 'search')),
    ]
    const [ofOne, ofOther] = [...browser.cookies.entries()]
    if (ofOne === undefined || ofOther === undefined) throw new Error('Expected a cookie of each login.')
    browser.cookies.set(ofOne[0], ofOther[1])
    browser.cookies.set(ofOther[0], ofOne[1])
    for (const atProvider of [one, other]) {
      const response = await browser.open(await submitProviderSignIn(browser, atProvider))
      expect(response.status).toBe(400)
      expect(response.headers.get('location')).toBeNull()
    }
  })

  test('a changed cookie of a started login shows an error page, and does not count as a broken stored value', async () => {
    const [serving] = logins.serviceStack.services.provider_auth
    if (serving === undefined) throw new Error('Expected a replica that serves.')
    const browser = openTestBrowser()
    const callback = await submitProviderSignIn(browser, await openRedirect(browser, buildAuthorizeUrl(site, 'search')))
    const broken = () => readMetric(serving, 'sociallogin_decryption_failures_total')
    const before = await broken()
    for (const [name, value] of browser.cookies) browser.cookies.set(name, `${value.slice(0, -4)}AAAA`)
    const response = await browser.open(callback)
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    const message = 'The login was started in another browser, it has expired, or this browser blocks cookies.'
    expect(await response.text()).toContain(`<p class="message">${message}</p>`)
    expect(await broken()).toEqual(before)
  })

  test('reveal neither the application’s state nor the secrets for the provider', async () => {
    const browser = openTestBrowser()
    const atProvider = new URL(
      await openRedirect(browser, buildAuthorizeUrl(site, 'search', { state: 'state-to-hide' })),
    )
    const stored = [...browser.cookies].map(
      ([name, value]) => name + Buffer.from(value, 'base64url').toString('latin1'),
    )
    for (const secret of ['state-to-hide', atProvider.searchParams.get('state'), atProvider.searchParams.get('nonce')])
      expect(stored.join()).not.toContain(secret)
  })
})

test('linking stores nothing in Redis either', async () => {
  const { identity, call } = logins.serviceStack
  const links = [{ provider: 'search', provider_user_id: 'linked-user' } as const]
  const { user } = await identity.createUser({ site: site.site, links }, call())
  const query = new URLSearchParams({ key: site.api_key, identifier: user.identifier, target_provider: 'messaging' })
  const response = await fetch(`${logins.serviceStack.web_api}/association_token?${query}`)
  const issued = z.object({ authenticate_uri: z.string() }).parse(await response.json())
  const browser = openTestBrowser()
  const sent = getLocation(await submitLinkDecision(browser, buildLinkUrl(issued.authenticate_uri, site)))
  const returned = await submitProviderSignIn(browser, sent, { user: 'Linking Person' })
  const callback = new URL(await openRedirect(browser, returned))
  expect(callback.searchParams.get('status')).toBe('authorized')
  expect(Object.keys(await keysByKind()).filter((kind) => kind.includes('pending'))).toEqual([])
})
