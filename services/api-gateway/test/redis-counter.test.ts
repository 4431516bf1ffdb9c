import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLogger, parseRedisUrl } from '#runtime'
import { startTestRedis } from '#testing'
import { createRateLimitWindows } from '../rate-limit/rate-limit-windows.ts'
import { createRedisCounter } from '../rate-limit/redis-counter.ts'
import { connectRedis } from '../redis.ts'

test('requests that a gateway admits by itself during a report to Redis are also reported', async () => {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-shared-count-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const { url } = stack.use(await startTestRedis(directory))
  const logger = createLogger('test', 'silent')
  const redis = stack.use(await connectRedis({ REDIS_URL: parseRedisUrl(url) }, { logger, timeoutMs: 2_000 }))
  const windowMs = 60_000
  const windows = createRateLimitWindows(windowMs)
  const shared = createRedisCounter(redis.client, windows, windowMs)

  const window = windows.open(1)
  window.unreported = 2
  redis.onRecovery(async () => {
    await shared.reportLocalCounts()
    if (!redis.usable()) window.unreported++
  })
  const returned = new Promise<void>((resolve) => redis.onChange(() => redis.usable() && resolve()))
  redis.markUnavailable()
  await returned
  expect(window.unreported).toBe(0)
  expect(await shared.admit(1, 10)).toMatchObject({ admitted: true, consumed: 4 })
})
