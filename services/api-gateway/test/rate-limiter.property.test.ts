import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogger, parseRedisUrl } from '#runtime'
import { startTestRedis } from '#testing'
import { rateLimitHeaders } from '../http/rate-limit.ts'
import { createRateLimitWindows } from '../rate-limit/rate-limit-windows.ts'
import { createRateLimiter, type RateLimitDecision } from '../rate-limit/rate-limiter.ts'
import { createRedisCounter } from '../rate-limit/redis-counter.ts'
import { connectRedis } from '../redis.ts'

const windowSeconds = 1
const windowMs = windowSeconds * 1_000
/** If a response took longer, Redis or the test was paused, and its times are not exact. */
const longestMs = windowMs / 5
const logger = createLogger('test', 'silent')

/** One site's limit per window, and bursts of requests to the three gateways, each after a pause. */
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

/** The result of a request, and its time (ms). */
interface Observation extends RateLimitDecision {
  readonly observedAt: number
  readonly took_ms: number
  readonly reset: string
  /** Difference of the system's clock, by which Redis ends windows, and the monotonic clock. */
  readonly clock_offset_ms: number
}

test('for any interleaving over three gateways, each window admits exactly the site’s limit', async () => {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-limiter-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const { url } = stack.use(await startTestRedis(directory))
  const limiters = await Promise.all(
    [0, 1, 2].map(async () => {
      const redis = stack.use(await connectRedis({ REDIS_URL: parseRedisUrl(url) }, { logger, timeoutMs: 2_000 }))
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
    const request = async (gateway: number): Promise<Observation> => {
      const requestedAt = performance.now()
      const standing = await limiters[gateway]?.(site)
      if (standing === undefined) throw new Error('There are three gateways.')
      // Monotonic: a step of the system's clock would move requests to other windows.
      const toldAt = performance.timeOrigin + performance.now()
      const reset = rateLimitHeaders(standing, windowSeconds, toldAt)['X-RateLimit-Reset'] ?? ''
      const times = { took_ms: performance.now() - requestedAt, clock_offset_ms: Date.now() - performance.now() }
      return { ...standing, observedAt: toldAt, reset, ...times }
    }
    const observations: Observation[] = []
    for (const { pause_ms, gateways } of bursts) {
      await delay(pause_ms)
      observations.push(...(await Promise.all(gateways.map(request))))
    }
    // On a busy machine, Redis may time out, and the gateway applies its share, which other tests cover.
    if (observations.some(({ mode, took_ms }) => mode !== 'exact' || took_ms > longestMs)) return false
    // A machine that was stopped sets its clock afterwards, and the windows of Redis end earlier than by the monotonic clock.
    const offsets = observations.map(({ clock_offset_ms }) => clock_offset_ms)
    if (Math.max(...offsets) - Math.min(...offsets) > longestMs) return false
    for (const { count, isLimited } of windowsOf(observations)) {
      expect(count).toBeLessThanOrEqual(limit)
      if (isLimited) expect(count).toBe(limit)
    }
    for (const { observedAt, reset, resetMs } of observations) {
      const lateMs = Date.parse(reset) - (observedAt + resetMs)
      expect(lateMs).toBeGreaterThan(0)
      expect(lateMs).toBeLessThanOrEqual(1_000)
    }
    return true
  }

  const several = fc.array(schedule, { minLength: 40, maxLength: 40 })
  // The sites of a run are tested concurrently, as they mostly wait. A run on a too busy machine is repeated.
  await fc.assert(
    fc.asyncProperty(several, async (schedules) => {
      fc.pre((await Promise.all(schedules.map(play))).includes(true))
    }),
    { numRuns: 1, endOnFailure: true },
  )
})

/** Groups requests by window, using the end that each response reported. Windows of a site are a window's length apart. */
function windowsOf(observations: readonly Observation[]): { count: number; isLimited: boolean }[] {
  const ends: { end: number; count: number; isLimited: boolean }[] = []
  for (const { observedAt, resetMs, admitted } of observations) {
    const end = observedAt + resetMs
    const known = ends.find((window) => Math.abs(window.end - end) < windowMs / 2)
    const window = known ?? { end, count: 0, isLimited: false }
    if (known === undefined) ends.push(window)
    if (admitted) window.count++
    else window.isLimited = true
  }
  return ends
}
