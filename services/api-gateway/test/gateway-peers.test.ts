import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { connectBus, publishNotice, subscribeNotice } from '#bus'
import { apiGatewayContract } from '#contracts'
import { createLogger, parseRedisUrl } from '#runtime'
import { startTestNats, startTestRedis } from '#testing'
import { watchGatewayPeers } from '../rate-limit/gateway-peers.ts'
import { createRateLimitWindows } from '../rate-limit/rate-limit-windows.ts'
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
    const windows = createRateLimitWindows(60_000)
    // No periodic messages arrive.
    const options = { redis: watched, windows, logger, registry, heartbeatIntervalMs: 3_600_000 }
    return stack.use(watchGatewayPeers(bus, options))
  }
  const first = await startGateway()
  const second = await startGateway()
  await expect.poll(() => [first.count(), second.count()]).toEqual([2, 2])
})

/** A gateway that counts in Redis, and another one whose messages the test sends. */
async function startWithPeer(stack: AsyncDisposableStack) {
  const directory = await mkdtemp(join(tmpdir(), 'social-login-gateways-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const nats = stack.use(await startTestNats(directory))
  const registry = new Registry()
  const connect = async () =>
    stack.use(await connectBus(nats.url, { name: 'api-gateway', logger, registry: new Registry() }))
  const windows = createRateLimitWindows(60_000)
  const redis = { usable: () => true, onChange: () => {} }
  const options = { redis, windows, logger, registry, exchangeTimeoutMs: 60_000 }
  const gateway = stack.use(watchGatewayPeers(await connect(), options))

  const bus = await connect()
  const peer = randomUUID()
  const outages: number[] = []
  stack.use(
    subscribeNotice(
      bus,
      apiGatewayContract,
      'rateLimitWindows',
      ({ gateway: sender, outage }) => void (sender !== peer && outages.push(outage)),
      logger,
    ),
  )
  const sendHeartbeat = (countsInRedis: boolean) =>
    publishNotice(bus, apiGatewayContract, 'gatewayHeartbeat', { gateway: peer, counts_in_redis: countsInRedis })
  const sendCount = (outage: number, consumed: number) =>
    publishNotice(bus, apiGatewayContract, 'rateLimitWindows', {
      gateway: peer,
      outage,
      windows: [{ site: 1, window: 'window', consumed, ends_in_ms: 60_000 }],
      is_last: true,
    })
  sendHeartbeat(true)
  await expect.poll(() => gateway.count()).toBe(2)
  return { gateway, windows, sendHeartbeat, sendCount, published: () => outages }
}

test('late counts of an earlier outage do not count as those of the next one', async () => {
  await using stack = new AsyncDisposableStack()
  const { gateway, windows, sendHeartbeat, sendCount } = await startWithPeer(stack)
  sendHeartbeat(false)
  await expect.poll(() => gateway.outage()).toBe(1)
  sendHeartbeat(true)
  await expect.poll(() => gateway.outage()).toBe(undefined)
  sendHeartbeat(false)
  await expect.poll(() => gateway.outage()).toBe(2)
  const consumed = gateway.countsExchanged().then(() => windows.find(1)?.consumed)
  sendCount(1, 5)
  await expect.poll(() => windows.find(1)?.consumed).toBe(5)
  sendCount(2, 9)
  expect(await consumed).toBe(9)
})

test('a gateway joins the newer outage of another gateway that counted in Redis in the meantime', async () => {
  await using stack = new AsyncDisposableStack()
  const { gateway, windows, sendHeartbeat, sendCount, published } = await startWithPeer(stack)
  sendHeartbeat(false)
  await expect.poll(() => gateway.outage()).toBe(1)
  sendCount(1, 5)
  await gateway.countsExchanged()
  sendCount(2, 9)
  await expect.poll(() => gateway.outage()).toBe(2)
  await gateway.countsExchanged()
  expect(windows.find(1)?.consumed).toBe(9)
  await expect.poll(published).toEqual([1, 2])
})
