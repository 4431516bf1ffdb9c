import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { connectBus } from '#bus'
import { createLogger, parseRedisUrl } from '#runtime'
import { startFaultProxy, startTestNats, startTestRedis } from '#testing'
import { watchGatewayPeers } from '../rate-limit/gateway-peers.ts'
import { createRateLimitWindows } from '../rate-limit/rate-limit-windows.ts'
import { createRateLimiter } from '../rate-limit/rate-limiter.ts'
import { createRedisCounter } from '../rate-limit/redis-counter.ts'
import { connectRedis } from '../redis.ts'

const logger = createLogger('test', 'silent')
const windowMs = 60_000
const gatewayCount = 3
const upTo = (ms: number) => () => Math.random() * ms

// No gateway stops, so a gateway waits for the counts of the others as long as a busy machine takes.
test('Redis comes and goes while messages between gateways take up to 600 ms: never more than the limit', async () => {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-limiter-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const { url: redisUrl } = stack.use(await startTestRedis(directory))
  const { url: natsUrl } = stack.use(await startTestNats(directory))

  const startGateway = async () => {
    const registry = new Registry()
    // The counts of another gateway arrive after four pieces: the notice and the response, each to NATS and from it.
    const toNats = stack.use(await startFaultProxy(natsUrl, { slowMs: upTo(150) }))
    const toRedis = stack.use(await startFaultProxy(redisUrl, { slowMs: upTo(600) }))
    const bus = stack.use(await connectBus(toNats.url, { name: 'api-gateway', logger, registry }))
    const redis = stack.use(await connectRedis({ REDIS_URL: parseRedisUrl(toRedis.url) }, { logger, timeoutMs: 150 }))
    const windows = createRateLimitWindows(windowMs)
    const redisCounter = createRedisCounter(redis.client, windows, windowMs)
    redis.onRecovery(redisCounter.reportLocalCounts)
    const peers = stack.use(watchGatewayPeers(bus, { redis, windows, logger, registry, exchangeTimeoutMs: 10_000 }))
    return { toNats, toRedis, peers, admit: createRateLimiter({ redis, peers, windows, redisCounter }) }
  }
  const gateways = await Promise.all(Array.from({ length: gatewayCount }, startGateway))
  await expect.poll(() => gateways.map(({ peers }) => peers.count())).toEqual(gateways.map(() => gatewayCount))
  for (const { toNats } of gateways) toNats.setMode('slow')

  const until = performance.now() + 6_000
  const disturb = async ({ toRedis }: (typeof gateways)[number]) => {
    while (performance.now() < until) {
      await delay(upTo(600)())
      toRedis.setMode('slow')
      await delay(upTo(600)())
      toRedis.setMode('forward')
    }
  }
  const sites = Array.from({ length: 60 }, (_, site) => ({
    site,
    requests_per_window: Math.round(20 + upTo(400)()),
    pause: upTo(200),
    admitted: 0,
    alone: 0,
    rejected: 0,
  }))
  const press = async (site: (typeof sites)[number], { admit }: (typeof gateways)[number]) => {
    const requests: Promise<void>[] = []
    const request = async () => {
      const { admitted, mode } = await admit(site)
      if (!admitted) site.rejected++
      else if (mode === 'degraded') site.alone++
      if (admitted) site.admitted++
    }
    while (performance.now() < until) {
      await delay(site.pause())
      requests.push(request())
    }
    await Promise.all(requests)
  }
  await Promise.all([
    ...gateways.map(disturb),
    ...sites.flatMap((site) => gateways.map((gateway) => press(site, gateway))),
  ])
  expect(sites.filter(({ admitted, requests_per_window }) => admitted > requests_per_window + gatewayCount)).toEqual([])
  expect(sites.filter(({ alone, rejected }) => alone > 0 && rejected > 0)).not.toEqual([])
})
