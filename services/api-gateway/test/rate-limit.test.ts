import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { describe, expect, test, vi } from 'vitest'
import { limits } from '#contracts'
import { seedSite } from '#testing'
import { type Answer, ask, callerOf, refused, type WebApiCaller } from './caller.ts'
import { setOwnStage } from './stage.ts'

/** Long enough for the requests of one test to fall within one window on a busy machine. */
const windowSeconds = 6
/** What `t` and `Retry-After` can be: whole seconds until the window ends, at most one more than it has. */
const secondsLeft = '[1-7]'
const timeoutMs = 800
const stage = setOwnStage({
  gateways: 2,
  gatewayEnvironment: { RATE_WINDOW_SECONDS: String(windowSeconds), RATE_TIMEOUT_MS: String(timeoutMs) },
})

/** A site of its own with a limit the gateways know, at the beginning of a window, and its server at each gateway. */
async function siteLimitedTo(requestsPerWindow: number) {
  const { identity, call, gateways } = stage.serviceStack
  const { site, api_key } = await seedSite(stage.serviceStack)
  await identity.changeSite({ site, requests_per_window: requestsPerWindow }, call())
  const at = gateways.map((gateway) => callerOf(gateway, api_key))
  for (const gateway of at)
    await vi.waitFor(async () =>
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

const numberIn = ({ headers }: Answer, name: string) => Number(headers.get(name))

/** Waits until the window of this answer is over. */
async function untilReset(answer: Answer): Promise<void> {
  const [, seconds] = /;t=(\d+)/.exec(answer.headers.get('ratelimit') ?? '') ?? []
  await delay(Number(seconds) * 1_000)
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()
const several = (count: number, caller: WebApiCaller) =>
  Promise.all(Array.from({ length: count }, () => caller.get('appinfo')))
const admittedOf = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length

// Each has a site of its own, and most of their time is waiting for a window to end.
describe.concurrent('a site’s limit', { timeout: 60_000 }, () => {
  test('10,000 requests in a window of 60 seconds unless set otherwise', async () => {
    const { headers } = await stage.web_api.get('appinfo')
    expect(headers.get('x-ratelimit-limit')).toBe('10000')
    expect(limits.rate_window_seconds).toBe(60)
  })

  test('is told on every answer to a known site, whatever the answer', async () => {
    const { at } = await siteLimitedTo(10)
    const caller = first(at)
    const answers = [
      await caller.get('appinfo'),
      await caller.get('map'),
      await caller.get('user_attribute', { identifier: 'nobody' }),
      await caller.get('users', { limit: 'x' }),
      await caller.get('users', [
        ['a', '1'],
        ['a', '2'],
      ]),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 400, 400])
    expect(answers.map((answer) => numberIn(answer, 'x-ratelimit-remaining'))).toEqual([9, 8, 7, 6, 5])
    for (const { headers } of answers) {
      expect(headers.get('x-ratelimit-limit')).toBe('10')
      expect(headers.get('x-ratelimit-reset')).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
      expect(headers.get('ratelimit-policy')).toBe(`"site";q=10;w=${windowSeconds}`)
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"site";r=\\d;t=${secondsLeft}$`))
      expect(headers.get('retry-after')).toBeNull()
      expect(headers.get('x-ratelimit-mode')).toBeNull()
    }
  })

  test('429/22 for exactly those beyond it, however many gateways are asked at once', async () => {
    const { at } = await siteLimitedTo(7)
    const answers = (await Promise.all(at.map((caller) => several(10, caller)))).flat()
    expect(statusesOf(answers)).toEqual([...Array(7).fill(200), ...Array(13).fill(429)])
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expect(answer).toMatchObject(refused.too_many_requests)
      expect(numberIn(answer, 'x-ratelimit-remaining')).toBe(0)
      const seconds = answer.headers.get('retry-after')
      expect(seconds).toMatch(new RegExp(`^${secondsLeft}$`))
      expect(answer.headers.get('ratelimit')).toBe(`"site";r=0;t=${seconds}`)
    }
  })

  test('200 at every gateway after waiting exactly Retry-After, and at X-RateLimit-Reset', async () => {
    const { at } = await siteLimitedTo(2)
    const refusals = (await Promise.all(at.map((caller) => several(4, caller))))
      .flat()
      .filter(({ status }) => status === 429)
    const { headers } = first(refusals)
    const resetAt = Date.parse(headers.get('x-ratelimit-reset') ?? '')
    expect(resetAt).toBeGreaterThan(Date.now())
    await delay(Number(headers.get('retry-after')) * 1_000)
    expect(statusesOf(await Promise.all(at.map((caller) => caller.get('appinfo'))))).toEqual([200, 200])

    const again = first((await several(2, first(at))).filter(({ status }) => status === 429))
    await delay(Date.parse(again.headers.get('x-ratelimit-reset') ?? '') - Date.now())
    expect(statusesOf(await Promise.all(at.map((caller) => caller.get('appinfo'))))).toEqual([200, 200])
  })

  test('429/22 comes after 401/1 and 403, and before what is wrong with the request', async () => {
    const { site, api_key, at } = await siteLimitedTo(1)
    const { identity, call, web_api } = stage.serviceStack
    await first(at).get('appinfo')
    const navigation = { headers: { 'sec-purpose': 'prefetch' } }
    for (const operation of ['map', 'delete_user'])
      expect(await first(at).get(operation, { identifier: 'é' }, navigation)).toMatchObject(refused.too_many_requests)
    expect(await ask(`${web_api}/map?key=${api_key}x`)).toMatchObject(refused.invalid_api_key)
    await identity.changeSite({ site, allowed_addresses: ['192.0.2.7'] }, call())
    await vi.waitFor(async () => expect(await first(at).get('appinfo')).toMatchObject(refused.address_not_allowed))
  })

  test('a raised limit counts at once, also for a site that was refused', async () => {
    const { site, at } = await siteLimitedTo(1)
    expect(admittedOf(await several(5, first(at)))).toBe(1)
    const { identity, call } = stage.serviceStack
    await identity.changeSite({ site, requests_per_window: 100 }, call())
    await vi.waitFor(async () => expect(await first(at).get('appinfo')).toMatchObject({ status: 200 }))
  })

  test('401 and 403 do not count against it', async () => {
    const { at, api_key } = await siteLimitedTo(3)
    const { web_api } = stage.serviceStack
    for (let count = 0; count < 5; count++)
      expect(await ask(`${web_api}/appinfo?key=${api_key}&key=${api_key}`)).toMatchObject(refused.invalid_api_key)
    expect(numberIn(await first(at).get('appinfo'), 'x-ratelimit-remaining')).toBe(2)
  })
})

test('once it is used up, refusals ask nothing of Redis, and another site is served', { timeout: 60_000 }, async () => {
  const [{ at }, other] = await Promise.all([siteLimitedTo(1), siteLimitedTo(50)])
  for (const caller of at) await several(2, caller)
  await using observer = new AsyncDisposableStack()
  const redis = observer.adopt(new Redis(stage.serviceStack.redis.url), (client) => client.disconnect())
  const counted = async () => /^cmdstat_evalsha:calls=(\d+)/m.exec(await redis.info('commandstats'))?.[1]
  const before = await counted()
  expect(before).toMatch(/^\d+$/)
  for (const caller of at) expect(admittedOf(await several(20, caller))).toBe(0)
  expect(await counted()).toBe(before)
  expect(await first(other.at).get('appinfo')).toMatchObject({ status: 200 })
})

describe('while Redis is unavailable', { timeout: 60_000 }, () => {
  const metricsOf = async (gateway: number) => {
    const port = stage.serviceStack.services.api_gateway[gateway]?.operations_port
    return (await fetch(`http://localhost:${port}/metrics`)).text()
  }

  test('each gateway admits its share of the limit and says so, and all is exact again when Redis is back', async () => {
    const { at } = await siteLimitedTo(10)
    // Each gateway has heard of the other.
    for (const gateway of [0, 1])
      await expect.poll(() => metricsOf(gateway)).toMatch(/^sociallogin_gateways_serving{[^}]*} 2$/m)
    const { redis } = stage.serviceStack
    await redis.stop()
    for (const caller of at) {
      const answers = await several(12, caller)
      expect(admittedOf(answers)).toBe(5)
      for (const answer of answers) {
        expect(answer.headers.get('x-ratelimit-mode')).toBe('degraded')
        expect(answer.headers.get('x-ratelimit-limit')).toBe('5')
        if (answer.status === 429) expect(answer).toMatchObject(refused.too_many_requests)
      }
    }
    // The last fifth of the share of 5 is its last one, and the one that leaves it.
    for (const [decision, count] of [
      ['allowed', 3],
      ['near_limit', 2],
    ])
      expect(await metricsOf(0)).toMatch(
        new RegExp(
          `^sociallogin_ratelimit_decisions_total{decision="${decision}",mode="degraded",[^}]*} ${count}$`,
          'm',
        ),
      )
    expect(await metricsOf(0)).toMatch(
      /^sociallogin_ratelimit_decisions_total{decision="limited",mode="degraded",[^}]*} 7$/m,
    )

    await redis.start()
    for (const caller of at)
      await expect.poll(async () => (await caller.get('appinfo')).headers.get('x-ratelimit-mode')).toBeNull()
    await untilReset(await first(at).get('appinfo'))
    const answers = (await Promise.all(at.map((caller) => several(12, caller)))).flat()
    expect(admittedOf(answers)).toBe(10)
  })

  test('a Redis that hangs delays nobody for long', async () => {
    const { at } = await siteLimitedTo(100)
    await using observer = new AsyncDisposableStack()
    const redis = observer.adopt(new Redis(stage.serviceStack.redis.url), (client) => client.disconnect())
    const pauseMs = 10 * timeoutMs
    await redis.client('PAUSE', pauseMs, 'ALL')
    const beganAt = performance.now()
    // Those at once wait once; whoever comes later does not wait at all.
    const answers = [...(await several(10, first(at))), ...(await several(10, first(at)))]
    expect(performance.now() - beganAt).toBeLessThan(pauseMs / 2)
    await redis.client('UNPAUSE')
    expect(admittedOf(answers)).toBe(20)
    for (const { headers } of answers) expect(headers.get('x-ratelimit-mode')).toBe('degraded')
    await expect.poll(async () => (await first(at).get('appinfo')).headers.get('x-ratelimit-mode')).toBeNull()
  })
})
