import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { limits } from '#contracts'
import { inspectRedis, passClockSteps, seedSite, waitFor } from '#testing'
import { type ApiResponse, createCaller, errorResponses, sendRequest, type WebApiCaller } from './caller.ts'
import { setOwnStage } from './stage.ts'

/** Long enough for the requests of one test to be in one window, even on a busy machine. */
const windowSeconds = 6
/** Valid values of `t` and `Retry-After`: whole seconds until the window ends, at most one more than its length. */
const secondsLeft = '[1-7]'
const timeoutMs = 800
const stage = setOwnStage({
  gateways: 2,
  gatewayEnvironment: { RATE_WINDOW_SECONDS: String(windowSeconds), RATE_TIMEOUT_MS: String(timeoutMs) },
})

/** A separate site with a limit known to the gateways, at the start of a window, and its server at each gateway. */
async function siteLimitedTo(requestsPerWindow: number) {
  const { identity, call, gateways } = stage.serviceStack
  const { site, api_key } = await seedSite(stage.serviceStack)
  await identity.changeSite({ site, requests_per_window: requestsPerWindow }, call())
  const at = gateways.map((gateway) => createCaller(gateway, api_key))
  for (const gateway of at)
    await waitFor(async () =>
      expect(numberIn(await gateway.get('appinfo'), 'x-ratelimit-limit')).toBe(requestsPerWindow),
    )
  await untilReset(await first(at).get('appinfo'))
  return { site, api_key, at }
}

function first<T>(list: readonly T[]): T {
  const [one] = list
  if (one === undefined) throw new Error('The list is empty.')
  return one
}

const numberIn = ({ headers }: ApiResponse, name: string) => Number(headers.get(name))

/** Waits until the window of this response is over. */
async function untilReset(response: ApiResponse): Promise<void> {
  const [, seconds] = /;t=(\d+)/.exec(response.headers.get('ratelimit') ?? '') ?? []
  await delay(Number(seconds) * 1_000)
}

const statusesOf = (responses: readonly ApiResponse[]) => responses.map(({ status }) => status).sort()
const several = (count: number, caller: WebApiCaller) =>
  Promise.all(Array.from({ length: count }, () => caller.get('appinfo')))
const admittedOf = (responses: readonly ApiResponse[]) => responses.filter(({ status }) => status === 200).length

// Each test has its own site and mostly waits for a window to end.
describe.concurrent('a site’s limit', () => {
  test('10,000 requests in a window of 60 seconds unless set otherwise', async () => {
    const { headers } = await stage.web_api.get('appinfo')
    expect(headers.get('x-ratelimit-limit')).toBe('10000')
    expect(limits.rate_window_seconds).toBe(60)
  })

  test('is reported in every response to a known site', async () => {
    const { at } = await siteLimitedTo(10)
    const caller = first(at)
    const responses = [
      await caller.get('appinfo'),
      await caller.get('map'),
      await caller.get('user_attribute', { identifier: 'nobody' }),
      await caller.get('users', { limit: 'x' }),
      await caller.get('users', [
        ['a', '1'],
        ['a', '2'],
      ]),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 400, 404, 400, 400])
    expect(responses.map((response) => numberIn(response, 'x-ratelimit-remaining'))).toEqual([9, 8, 7, 6, 5])
    for (const { headers } of responses) {
      expect(headers.get('x-ratelimit-limit')).toBe('10')
      expect(headers.get('x-ratelimit-reset')).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
      expect(headers.get('ratelimit-policy')).toBe(`"site";q=10;w=${windowSeconds}`)
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"site";r=\\d;t=${secondsLeft}$`))
      expect(headers.get('retry-after')).toBeNull()
      expect(headers.get('x-ratelimit-mode')).toBeNull()
    }
  })

  test('429/22 for exactly the requests beyond it, at any number of gateways concurrently', async () => {
    const { at } = await siteLimitedTo(7)
    const responses = (await Promise.all(at.map((caller) => several(10, caller)))).flat()
    expect(statusesOf(responses)).toEqual([...Array(7).fill(200), ...Array(13).fill(429)])
    for (const response of responses.filter(({ status }) => status === 429)) {
      expect(response).toMatchObject(errorResponses.too_many_requests)
      expect(numberIn(response, 'x-ratelimit-remaining')).toBe(0)
      const seconds = response.headers.get('retry-after')
      expect(seconds).toMatch(new RegExp(`^${secondsLeft}$`))
      expect(response.headers.get('ratelimit')).toBe(`"site";r=0;t=${seconds}`)
    }
  })

  test('200 at every gateway after waiting exactly Retry-After, and at X-RateLimit-Reset', async () => {
    const { at } = await siteLimitedTo(2)
    const limitedResponses = (await Promise.all(at.map((caller) => several(4, caller))))
      .flat()
      .filter(({ status }) => status === 429)
    const { headers } = first(limitedResponses)
    const resetAt = Date.parse(headers.get('x-ratelimit-reset') ?? '')
    expect(resetAt).toBeGreaterThan(Date.now())
    await delay(Number(headers.get('retry-after')) * 1_000)
    expect(statusesOf(await Promise.all(at.map((caller) => caller.get('appinfo'))))).toEqual([200, 200])

    const again = first((await several(2, first(at))).filter(({ status }) => status === 429))
    await delay(Date.parse(again.headers.get('x-ratelimit-reset') ?? '') - Date.now())
    await passClockSteps()
    expect(statusesOf(await Promise.all(at.map((caller) => caller.get('appinfo'))))).toEqual([200, 200])
  })

  test('429/22 is checked after 401/1 and 403, and before other errors', async () => {
    const { site, api_key, at } = await siteLimitedTo(1)
    const { identity, call, web_api } = stage.serviceStack
    await first(at).get('appinfo')
    const navigation = { headers: { 'sec-purpose': 'prefetch' } }
    for (const operation of ['map', 'delete_user'])
      expect(await first(at).get(operation, { identifier: 'é' }, navigation)).toMatchObject(
        errorResponses.too_many_requests,
      )
    expect(await sendRequest(`${web_api}/map?key=${api_key}x`)).toMatchObject(errorResponses.invalid_api_key)
    await identity.changeSite({ site, allowed_addresses: ['192.0.2.7'] }, call())
    await waitFor(async () => expect(await first(at).get('appinfo')).toMatchObject(errorResponses.address_not_allowed))
  })

  test('a raised limit applies immediately, also to a site that was limited', async () => {
    const { site, at } = await siteLimitedTo(1)
    expect(admittedOf(await several(5, first(at)))).toBe(1)
    const { identity, call } = stage.serviceStack
    await identity.changeSite({ site, requests_per_window: 100 }, call())
    // Long before the window ends.
    await waitFor(async () => expect(await first(at).get('appinfo')).toMatchObject({ status: 200 }))
  })

  test('401 and 403 do not count against it', async () => {
    const { at, api_key } = await siteLimitedTo(3)
    const { web_api } = stage.serviceStack
    for (let count = 0; count < 5; count++)
      expect(await sendRequest(`${web_api}/appinfo?key=${api_key}&key=${api_key}`)).toMatchObject(
        errorResponses.invalid_api_key,
      )
    expect(numberIn(await first(at).get('appinfo'), 'x-ratelimit-remaining')).toBe(2)
  })
})

test('after the limit is reached, requests are rejected without Redis, and other sites are served', {
  timeout: 60_000,
}, async () => {
  const [{ at }, other] = await Promise.all([siteLimitedTo(1), siteLimitedTo(50)])
  for (const caller of at) await several(2, caller)
  using redis = await inspectRedis(stage.serviceStack.redis.url)
  const before = await redis.countCalls('evalsha')
  expect(before).toBeGreaterThan(0)
  for (const caller of at) expect(admittedOf(await several(20, caller))).toBe(0)
  expect(await redis.countCalls('evalsha')).toBe(before)
  expect(await first(other.at).get('appinfo')).toMatchObject({ status: 200 })
})

describe('while Redis is unavailable', () => {
  const metricsOf = async (gateway: number) => {
    const port = stage.serviceStack.services.api_gateway[gateway]?.operations_port
    return (await fetch(`http://localhost:${port}/metrics`)).text()
  }
  /** Decisions of the first gateway by itself. */
  const decisionsAlone = async (): Promise<Record<string, number>> => {
    const metrics = await metricsOf(0)
    const countOf = (decision: string) =>
      new RegExp(`decisions_total{decision="${decision}",mode="degraded",[^}]*} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0
    return Object.fromEntries(['allowed', 'near_limit', 'limited'].map((name) => [name, Number(countOf(name))]))
  }

  test('each gateway admits its share of the limit and reports the mode; limits are exact again when Redis is available', async () => {
    const { at } = await siteLimitedTo(10)
    // The gateways know each other.
    for (const gateway of [0, 1])
      await expect.poll(() => metricsOf(gateway)).toMatch(/^sociallogin_gateways_serving{[^}]*} 2$/m)
    const before = await decisionsAlone()
    const { redis } = stage.serviceStack
    await redis.stop()
    for (const caller of at) {
      const responses = await several(12, caller)
      expect(admittedOf(responses)).toBe(5)
      for (const response of responses) {
        expect(response.headers.get('x-ratelimit-mode')).toBe('degraded')
        expect(response.headers.get('x-ratelimit-limit')).toBe('5')
        if (response.status === 429) expect(response).toMatchObject(errorResponses.too_many_requests)
      }
    }
    // `near_limit` covers the last fifth of the share of 5.
    const decisions = await decisionsAlone()
    const added = Object.entries(decisions).map(([decision, count]) => [decision, count - (before[decision] ?? 0)])
    expect(Object.fromEntries(added)).toEqual({ allowed: 3, near_limit: 2, limited: 7 })

    await redis.start()
    for (const caller of at)
      await expect.poll(async () => (await caller.get('appinfo')).headers.get('x-ratelimit-mode')).toBeNull()
    await untilReset(await first(at).get('appinfo'))
    const responses = (await Promise.all(at.map((caller) => several(12, caller)))).flat()
    expect(admittedOf(responses)).toBe(10)
  })

  test('a hanging Redis delays requests only briefly', async () => {
    const { at } = await siteLimitedTo(100)
    using redis = await inspectRedis(stage.serviceStack.redis.url)
    const pauseMs = 10 * timeoutMs
    await redis.onEach((master) => master.client('PAUSE', pauseMs, 'ALL'))
    const startedAt = performance.now()
    // Concurrent requests wait once; later ones do not wait.
    const responses = [...(await several(10, first(at))), ...(await several(10, first(at)))]
    expect(performance.now() - startedAt).toBeLessThan(pauseMs / 2)
    await redis.onEach((master) => master.client('UNPAUSE'))
    expect(admittedOf(responses)).toBe(20)
    for (const { headers } of responses) expect(headers.get('x-ratelimit-mode')).toBe('degraded')
    await expect.poll(async () => (await first(at).get('appinfo')).headers.get('x-ratelimit-mode')).toBeNull()
  })
})
