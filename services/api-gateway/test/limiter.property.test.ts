import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogger } from '#runtime'
import { startTestRedis } from '#testing'
import { rateLimitHeaders } from '../http/rate-limit.ts'
import { createRateLimitWindows } from '../rate-limit-windows.ts'
import { createRateLimiter, type RateLimitDecision } from '../rate-limiter.ts'
import { connectRedis } from '../redis.ts'
import { createRedisCounter } from '../redis-counter.ts'

const windowSeconds = 1
const windowMs = windowSeconds * 1_000
/** An answer that took longer may be of a Redis or a test that was stopped in between, and its times are not exact. */
const longestMs = windowMs / 5
const logger = createLogger('test', 'silent')

/** One site's requests: how many it may make in a window, and bursts to the three gateways, each after a pause. */
const schedule = fc.record({
  limit: fc.integer({ min: 1, max: 6 }),
  bursts: fc.array(
    fc.record({
      pause_ms: fc.integer({ min: 0, max: 700 }),
      gateways: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 5 }),
    }),
    { minLength: 2, maxLength: 8 },
  ),
})

type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never

/** What a request was told, and when (ms). */
interface Told extends RateLimitDecision {
  readonly told_at: number
  readonly took_ms: number
  readonly reset: string
}

test('whatever the interleaving over three gateways, a site gets its limit in each window: never more, never fewer', async () => {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-limiter-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const { url } = stack.use(await startTestRedis(directory))
  const limiters = await Promise.all(
    [0, 1, 2].map(async () => {
      const redis = stack.use(await connectRedis(url, { logger, timeoutMs: 2_000 }))
      const windows = createRateLimitWindows(windowMs)
      const gateways = {
        count: () => 3,
        outage: () => (redis.usable() ? undefined : 1),
        countsExchanged: async () => {},
      }
      return createRateLimiter({
        redis,
        peers: gateways,
        windows,
        redisCounter: createRedisCounter(redis.client, windows, windowMs),
      })
    }),
  )
  let sites = 0

  const play = async ({ limit, bursts }: Schedule): Promise<boolean> => {
    const usual = { account: 'a', site_id: 's', api_key_id: 'k', isAllowed: () => true, fixed_address_option: false }
    const site = { ...usual, site: ++sites, requests_per_window: limit }
    const ask = async (gateway: number): Promise<Told> => {
      const askedAt = performance.now()
      const standing = await limiters[gateway]?.(site)
      if (standing === undefined) throw new Error('There are three gateways.')
      const toldAt = Date.now()
      const reset = rateLimitHeaders(standing, windowSeconds, toldAt)['X-RateLimit-Reset'] ?? ''
      return { ...standing, told_at: toldAt, took_ms: performance.now() - askedAt, reset }
    }
    const told: Told[] = []
    for (const { pause_ms, gateways } of bursts) {
      await delay(pause_ms)
      told.push(...(await Promise.all(gateways.map(ask))))
    }
    // On a machine too busy for Redis to answer in time a gateway goes on alone, which is another promise.
    if (told.some(({ mode, took_ms }) => mode !== 'exact' || took_ms > longestMs)) return false
    for (const { count, refused } of windowsOf(told)) {
      expect(count).toBeLessThanOrEqual(limit)
      if (refused) expect(count).toBe(limit)
    }
    for (const { told_at, reset, resetMs } of told) {
      const lateMs = Date.parse(reset) - (told_at + resetMs)
      expect(lateMs).toBeGreaterThan(0)
      expect(lateMs).toBeLessThanOrEqual(1_000)
    }
    return true
  }

  const several = fc.array(schedule, { minLength: 40, maxLength: 40 })
  // The sites of a run live side by side: most of their time is waiting. A run that the machine was too busy for is repeated.
  await fc.assert(
    fc.asyncProperty(several, async (schedules) => {
      fc.pre((await Promise.all(schedules.map(play))).includes(true))
    }),
    { numRuns: 1, endOnFailure: true },
  )
}, 120_000)

/** Requests by the window they were counted in, whose end each was told; windows of one site lie a window's length apart. */
function windowsOf(told: readonly Told[]): { count: number; refused: boolean }[] {
  const ends: { end: number; count: number; refused: boolean }[] = []
  for (const { told_at, resetMs, admitted } of told) {
    const end = told_at + resetMs
    const known = ends.find((window) => Math.abs(window.end - end) < windowMs / 2)
    const window = known ?? { end, count: 0, refused: false }
    if (known === undefined) ends.push(window)
    if (admitted) window.count++
    else window.refused = true
  }
  return ends
}
