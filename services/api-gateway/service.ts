import { type BusService, createClients, openBus, startReporting } from '#bus'
import { dataHeaders, listenHttp } from '#http'
import { createGauge } from '#runtime'
import { createGateway } from './app.ts'
import { busInterface } from './bus.ts'
import type { Config } from './config.ts'
import { createCursors } from './cursors.ts'
import { watchGatewayPeers } from './gateway-peers.ts'
import { createBaseFinder } from './http/base.ts'
import { createIdentifyCaller } from './http/identify-caller.ts'
import { createRateLimitCheck } from './http/rate-limit.ts'
import { createRequestSlots } from './http/request-slots.ts'
import { createRunIdempotent, openResponseEncryptor } from './idempotency.ts'
import { createRateLimitWindows } from './rate-limit-windows.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { connectRedis } from './redis.ts'
import { createRedisCounter } from './redis-counter.ts'
import { replicateSites } from './replicate-sites.ts'
import { createSiteTable } from './site-table.ts'
import { createUsageCounter } from './usage/usage-counter.ts'

export const service: BusService<Config, { port: number }> = async (config, context) => {
  const { logger, registry, readiness, stack } = context
  const bus = stack.use(await openBus(busInterface, config, context))
  const { console, ...clients } = createClients(bus, busInterface, registry)
  const sites = createSiteTable()
  readiness.require('NATS', bus.connected)
  stack.use(await replicateSites(sites, { bus, client: clients.identity, logger }))

  const windowSeconds = config.RATE_WINDOW_SECONDS
  const redis = stack.use(
    await connectRedis(config.REDIS_URL, { files: config, logger, timeoutMs: config.RATE_TIMEOUT_MS }),
  )
  createGauge(registry, 'sociallogin_redis_connected', (gauge) => gauge.set(redis.usable() ? 1 : 0))
  const windows = createRateLimitWindows(windowSeconds * 1_000)
  const redisCounter = createRedisCounter(redis.client, windows, windowSeconds * 1_000)
  redis.onRecovery(redisCounter.reportLocalCounts)
  const peers = stack.use(watchGatewayPeers(bus, { redis, windows, logger, registry }))
  const rateLimiter = createRateLimiter({ redis, peers, windows, redisCounter })

  const responseEncryptor = stack.use(await openResponseEncryptor(config.CURSOR_KEY, { logger, registry }))

  const usageCounter = createUsageCounter()
  stack.use(startReporting({ take: usageCounter.take, send: console.reportCalls, logger, registry }))

  const slots = createRequestSlots(config.MAX_REQUESTS, config.WEB_API_URL, registry)
  const baseOf = createBaseFinder(config.WEB_API_URL, config.STATIC_BASE_URL)
  const app = createGateway({
    baseOf,
    auth_url: config.AUTH_URL,
    identifyCaller: createIdentifyCaller({
      sites,
      trusted_hops: config.TRUSTED_PROXY_HOPS,
      baseOf,
      windowSeconds,
      registry,
    }),
    limitRate: createRateLimitCheck(rateLimiter, registry, windowSeconds),
    slots,
    runIdempotent: createRunIdempotent(clients.identity, responseEncryptor, logger),
    deps: {
      ...clients,
      names: config.PROVIDER_NAMES,
      cursors: createCursors(config.CURSOR_KEY),
      webApiUrl: config.WEB_API_URL,
    },
    recordRequest: usageCounter.record,
    logger,
    registry,
    trustTraceparent: config.TRUST_TRACEPARENT,
  })
  const { rejectIfFull } = slots
  const { port } = stack.use(await listenHttp(config, { app, headers: dataHeaders, registry, readiness, rejectIfFull }))
  return { port }
}
