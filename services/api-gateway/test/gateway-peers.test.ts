import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import { connectBus } from '#bus'
import { createLogger, parseRedisUrl } from '#runtime'
import { startTestNats, startTestRedis } from '#testing'
import { watchGatewayPeers } from '../gateway-peers.ts'
import { createRateLimitWindows } from '../rate-limit-windows.ts'
import { connectRedis } from '../redis.ts'

const logger = createLogger('test', 'silent')

test('a new gateway learns of the others immediately, so that its share is not the whole limit', async () => {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-gateways-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const nats = stack.use(await startTestNats(directory))
  const redis = stack.use(await startTestRedis(directory))
  const startGateway = async () => {
    const registry = new Registry()
    const bus = stack.use(await connectBus(nats.url, { name: 'api-gateway', logger, registry }))
    const watched = stack.use(await connectRedis({ REDIS_URL: parseRedisUrl(redis.url) }, { logger, timeoutMs: 2_000 }))
    return stack.use(
      watchGatewayPeers(bus, { redis: watched, windows: createRateLimitWindows(60_000), logger, registry }),
    )
  }
  // No periodic messages arrive.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  stack.defer(() => void vi.useRealTimers())

  const first = await startGateway()
  const second = await startGateway()
  while (first.count() < 2 || second.count() < 2) await delay(10)
  expect([first.count(), second.count()]).toEqual([2, 2])
})
