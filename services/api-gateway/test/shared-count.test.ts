import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLogger } from '#runtime'
import { startTestRedis } from '#testing'
import { watchRedis } from '../redis.ts'
import { createSharedCount } from '../shared-count.ts'
import { createWindows } from '../windows.ts'

test('requests that a gateway admits by itself while it reports to Redis are reported, too', async () => {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-shared-count-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const { url } = stack.use(await startTestRedis(directory))
  const redis = stack.use(await watchRedis(url, { logger: createLogger('test', 'silent'), timeoutMs: 2_000 }))
  const windowMs = 60_000
  const windows = createWindows(windowMs)
  const shared = createSharedCount(redis.client, windows, windowMs)

  const window = windows.open(1)
  window.unreported = 2
  redis.reportOnReturn(async () => {
    await shared.reportAll()
    if (!redis.usable()) window.unreported++
  })
  const returned = new Promise<void>((resolve) => redis.follow(() => redis.usable() && resolve()))
  redis.lost()
  await returned
  expect(window.unreported).toBe(0)
  expect(await shared.admit(1, 10)).toMatchObject({ admitted: true, consumed: 4 })
})
