import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SeededSite, type ServiceStack, seedSite, startStack } from '#testing'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  getCallbackUrl,
  openRedirect,
  openTestBrowser,
  type ProviderName,
} from './browser.ts'
import { type MaliciousProvider, startMaliciousProvider } from './malicious-provider.ts'

type Respond = (response: ServerResponse) => void

/** Providers that fail as the test sets. */
interface Failing extends AsyncDisposable {
  readonly serviceStack: ServiceStack
  readonly site: SeededSite
  readonly hostile: MaliciousProvider
  /** Completes a login from its start URL to the application. */
  readonly logIn: (provider: ProviderName, address?: string) => Promise<URL>
  /** Lets logins with a provider fail until its circuit opens. */
  readonly breakCircuit: (provider: ProviderName, respond: Respond) => Promise<void>
  readonly stateOf: (provider: ProviderName) => Promise<string | undefined>
  /** Number of calls by provider and outcome. */
  readonly countCalls: (provider: ProviderName) => Promise<Readonly<Record<string, number>>>
}

const aMinute = '60000'
const hangUp: Respond = (response) => response.destroy()

async function startFailing(providerCircuitOpenMs = aMinute): Promise<Failing> {
  await using starting = new AsyncDisposableStack()
  const hostile = starting.use(await startMaliciousProvider())
  const providerAuthEnvironment = {
    PROVIDER_SIMULATOR_URL: hostile.url,
    PROVIDER_CIRCUIT_OPEN_MS: providerCircuitOpenMs,
  }
  const serviceStack = starting.use(await startStack({ providerAuthEnvironment }))
  const site = await seedSite(serviceStack)
  const [running] = serviceStack.services.provider_auth
  const readMetrics = async () => (await fetch(`http://localhost:${running?.operations_port}/metrics`)).text()

  const logIn = async (provider: ProviderName, address = buildAuthorizeUrl(site, provider)) => {
    const browser = openTestBrowser()
    const atProvider = await browser.open(await openRedirect(browser, address))
    return new URL(await openRedirect(browser, await getCallbackUrl(browser, atProvider)))
  }
  const stateOf = async (provider: ProviderName) => {
    const line = new RegExp(`^sociallogin_provider_circuit_state{provider="${provider}",state="(\\w+)"[^}]*} 1$`, 'm')
    return line.exec(await readMetrics())?.[1]
  }
  const stack = starting.move()
  return {
    serviceStack,
    site,
    hostile,
    logIn,
    stateOf,
    async breakCircuit(provider, respond) {
      hostile.forgery = { instead: { token: respond } }
      // Concurrent, so that a provider that does not respond delays the test only once.
      await Promise.all(Array.from({ length: 5 }, () => logIn(provider)))
      expect(await stateOf(provider)).toBe('open')
    },
    async countCalls(provider) {
      const lines = (await readMetrics()).matchAll(
        /^sociallogin_provider_client_duration_seconds_count{([^}]*)} (\d+)$/gm,
      )
      const own = [...lines].filter(([, labels = '']) => labels.includes(`provider="${provider}"`))
      return Object.fromEntries(
        own.map(([, labels = '', count]) => [/outcome="(\w+)"/.exec(labels)?.[1], Number(count)]),
      )
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

let failing: Failing
beforeAll(async () => {
  failing = await startFailing()
})
afterAll(() => failing[Symbol.asyncDispose]())

const unavailable = { error: 'server_error', error_description: 'Internal server error.' }

describe('a provider whose circuit is open', () => {
  let failing: Failing
  beforeAll(async () => {
    failing = await startFailing('100')
  })
  afterAll(() => failing[Symbol.asyncDispose]())

  test('allows logins again when the provider responds', async () => {
    const { hostile, logIn, stateOf } = failing
    await failing.breakCircuit('search', hangUp)
    hostile.forgery = {}
    await expect.poll(async () => (await logIn('search')).searchParams.get('error')).toBeNull()
    expect(await stateOf('search')).toBe('closed')
  })

  test('is probed by one login, for which no other waits; if it fails, the circuit stays open', async () => {
    const { hostile, logIn, stateOf } = failing
    await failing.breakCircuit('portal', hangUp)

    const tried: ServerResponse[] = []
    hostile.forgery = { instead: { token: (response) => void tried.push(response) } }
    const logins: Promise<URL>[] = []
    const untilTried = () => {
      logins.push(logIn('portal'))
      return tried.length
    }
    await expect.poll(untilTried).toBe(1)
    expect(await stateOf('portal')).toBe('half_open')
    expect((await logIn('portal')).searchParams.get('error')).toBe('server_error')
    expect(tried).toHaveLength(1)

    tried[0]?.destroy()
    for (const { searchParams } of await Promise.all(logins)) expect(searchParams.get('error')).toBe('server_error')
    expect(await stateOf('portal')).toBe('open')
  })
})

describe('a provider that responds', () => {
  test.each<[string, Respond, string]>([
    ['rejects', (response) => response.writeHead(400).end('{"error":"invalid_client"}'), 'http_4xx'],
    ['limits us', (response) => response.writeHead(429, { 'retry-after': '60' }).end(), 'http_4xx'],
    ['redirects', (response) => response.writeHead(302, { location: '/' }).end(), 'http_3xx'],
    ['sends an oversized response', (response) => response.end('x'.repeat(2_000_000)), 'too_long'],
    ['returns a page', (response) => response.end('<h1>Hello</h1>'), 'ok'],
  ])('but %s is called once by each login, and its circuit stays closed', async (_, respond, outcome) => {
    const { hostile, logIn, stateOf, countCalls } = failing
    hostile.requestCounts.clear()
    const before = (await countCalls('messaging'))[outcome] ?? 0
    hostile.forgery = { instead: { token: respond } }
    const callbacks = await Promise.all(Array.from({ length: 12 }, () => logIn('messaging')))
    for (const { searchParams } of callbacks) expect(searchParams.get('error')).toBe('server_error')
    expect(hostile.requestCounts.get('token')).toBe(12)
    expect((await countCalls('messaging'))[outcome]).toBe(before + 12)
    expect(await stateOf('messaging')).toBe('closed')
    hostile.forgery = {}
    expect((await logIn('messaging')).searchParams.get('error')).toBeNull()
  })

  test('logins fail if the keys cannot be loaded; cached keys stay usable', async () => {
    const { hostile, logIn } = failing
    const withoutKeys = { instead: { certs: (response: ServerResponse) => response.writeHead(503).end() } }
    hostile.forgery = withoutKeys
    expect((await logIn('portal')).searchParams.get('error')).toBe('server_error')
    hostile.forgery = {}
    expect((await logIn('portal')).searchParams.get('error')).toBeNull()
    hostile.forgery = withoutKeys
    expect((await logIn('portal')).searchParams.get('error')).toBeNull()
  })

  test('receives one fixed error of ours', async () => {
    const { hostile, logIn } = failing
    const names = new Set<string | undefined>()
    const listen: Respond = (response) => {
      names.add(response.req.headers['user-agent'])
      response.writeHead(400).end()
    }
    hostile.forgery = { instead: { certs: listen, userinfo: listen } }
    await logIn('search')
    hostile.forgery = { instead: { token: listen } }
    await logIn('messaging')
    expect([...names]).toEqual(['social-login'])
  })
})

// Their circuits stay open: the other tests use other providers.
describe('a provider', () => {
  test.each<[string, ProviderName, Respond, string]>([
    ['hangs up', 'search', hangUp, 'network'],
    ['returns 503', 'social', (response) => response.writeHead(503).end(), 'http_5xx'],
    ['does not respond', 'device', () => {}, 'timeout'],
  ])(
    'that repeatedly %s is not called any more; its logins fail immediately, those of others do not',
    async (_, broken, respond, outcome) => {
      const { hostile, logIn, stateOf, countCalls, serviceStack, site } = failing
      await failing.breakCircuit(broken, respond)
      hostile.forgery = {}

      const before = hostile.requestCounts.get('token')
      const parameters = Object.fromEntries((await logIn(broken)).searchParams)
      expect(parameters).toEqual({ ...unavailable, state: 'state-of-the-application', iss: serviceStack.auth })
      const callback = await logIn(broken, buildAuthenticateUrl(serviceStack, site, broken))
      expect(Object.fromEntries(callback.searchParams)).toMatchObject({ reason: 'provider_unavailable' })
      expect(hostile.requestCounts.get('token')).toBe(before)
      expect(await countCalls(broken)).toMatchObject({ [outcome]: 5, circuit_open: 2 })

      expect((await logIn('messaging')).searchParams.get('error')).toBeNull()
      expect(await stateOf('messaging')).toBe('closed')
    },
  )
})
