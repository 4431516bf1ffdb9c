import { connectBus, createClients, startReporting } from '#bus'
import { dataHeaders, listenHttp } from '#http'
import { createGauge, type Service } from '#runtime'
import { createGateway } from './app.ts'
import { busInterface } from './bus.ts'
import type { Config } from './config.ts'
import { createCursors } from './cursors.ts'
import { countGateways } from './gateways.ts'
import { createBaseFinder } from './http/base.ts'
import { createRecognize } from './http/callers.ts'
import { createRateLimit } from './http/rate-limit.ts'
import { createLimiter } from './limiter.ts'
import { createOnce, openAnswersEncryptor } from './once.ts'
import { watchRedis } from './redis.ts'
import { createSharedCount } from './shared-count.ts'
import { createSiteTable } from './site-table.ts'
import { replicateSites } from './sites.ts'
import { createTally } from './usage/tally.ts'
import { createWindows } from './windows.ts'

/** A table that was not confirmed for so long is told to be out of date. Our choice. */
const freshTableMs = 5_000

export const service: Service<Config, { port: number }> = async (config, { logger, registry, readiness, stack }) => {
  const bus = stack.use(await connectBus(config.NATS_URL, { name: busInterface.name, logger, registry, files: config }))
  const { console, ...asked } = createClients(bus, busInterface, registry)
  const sites = createSiteTable()
  readiness.require('NATS', bus.connected)
  readiness.require('table of sites', () => sites.ageMs() < freshTableMs)
  stack.use(await replicateSites(sites, { bus, asked: asked.identity, logger }))

  const windowSeconds = config.RATE_WINDOW_SECONDS
  const redis = stack.use(
    await watchRedis(config.REDIS_URL, { files: config, logger, timeoutMs: config.RATE_TIMEOUT_MS }),
  )
  createGauge(registry, 'sociallogin_redis_connected', (gauge) => gauge.set(redis.usable() ? 1 : 0))
  const windows = createWindows(windowSeconds * 1_000)
  const shared = createSharedCount(redis.client, windows, windowSeconds * 1_000)
  redis.reportOnReturn(shared.reportAll)
  const gateways = stack.use(countGateways(bus, { redis, windows, logger, registry }))
  const limiter = createLimiter({ redis, gateways, windows, shared })

  const answersEncryptor = stack.use(await openAnswersEncryptor(config.CURSOR_KEY, { logger, registry }))

  const tally = createTally()
  stack.use(startReporting({ take: tally.take, send: console.reportCalls, logger, registry }))

  const baseOf = createBaseFinder(config.WEB_API_URL, config.STATIC_BASE_URL)
  const app = createGateway({
    baseOf,
    auth_url: config.AUTH_URL,
    recognize: createRecognize({
      sites,
      trusted_hops: config.TRUSTED_PROXY_HOPS,
      baseOf,
      windowSeconds,
      registry,
    }),
    limitRate: createRateLimit(limiter, registry, windowSeconds),
    once: createOnce(asked.identity, answersEncryptor, logger),
    deps: {
      ...asked,
      names: config.PROVIDER_NAMES,
      cursors: createCursors(config.CURSOR_KEY),
      webApiUrl: config.WEB_API_URL,
    },
    count: tally.count,
    logger,
    registry,
    trustTraceparent: config.TRUST_TRACEPARENT,
  })
  const { port } = stack.use(await listenHttp(config, { app, headers: dataHeaders, registry }))
  return { port }
}
