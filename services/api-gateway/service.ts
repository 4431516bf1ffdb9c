import { type BusService, createClients, openBus, startReporting } from '#bus'
import { createResponseRecorder, dataHeaders, listenHttp } from '#http'
import { createGauge, isApiKey } from '#runtime'
import { createApiHostTable } from './api-hosts.ts'
import { createGateway, mapOperationPaths } from './app.ts'
import { busInterface } from './bus.ts'
import type { Config } from './config.ts'
import { createCursors } from './cursors.ts'
import { createEventNotices } from './event-notices.ts'
import { createBaseFinder } from './http/base.ts'
import { createCallerCheck } from './http/check-caller.ts'
import { createResponseCounter } from './http/count-responses.ts'
import { createIdentifyCaller } from './http/identify-caller.ts'
import { createRateLimitCheck } from './http/rate-limit.ts'
import { createRejectCaller } from './http/reject-caller.ts'
import { createEarlyRejection } from './http/reject-early.ts'
import { createRequestSlots } from './http/request-slots.ts'
import { createRunIdempotent, openResponseEncryptor } from './idempotency.ts'
import { watchGatewayPeers } from './rate-limit/gateway-peers.ts'
import { createRateLimitWindows } from './rate-limit/rate-limit-windows.ts'
import { createRateLimiter, findReachedLimit } from './rate-limit/rate-limiter.ts'
import { createRedisCounter } from './rate-limit/redis-counter.ts'
import { connectRedis } from './redis.ts'
import { replicateApiHosts } from './replicate-api-hosts.ts'
import { replicateSites } from './replicate-sites.ts'
import { createSiteTable } from './site-table.ts'
import { createUsageCounter } from './usage/usage-counter.ts'

export const service: BusService<Config, { port: number }> = async (config, context) => {
  const { logger, registry, readiness, stack } = context
  const bus = stack.use(await openBus(busInterface, config, context))
  const { console, ...clients } = createClients(bus, busInterface, registry)
  const sites = createSiteTable()
  readiness.require('NATS', bus.connected)
  stack.use(await replicateSites(sites, { bus, identity: clients.identity, logger }))
  const apiHosts = createApiHostTable()
  stack.use(replicateApiHosts(apiHosts, { bus, providerAuth: clients.providerAuth, logger }))

  const windowSeconds = config.RATE_WINDOW_SECONDS
  const redis = stack.use(await connectRedis(config, { logger, timeoutMs: config.RATE_TIMEOUT_MS }))
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
  const baseOf = createBaseFinder(config.WEB_API_URL, config.STATIC_BASE_URL, apiHosts)
  const reject = createRejectCaller(registry, windowSeconds)
  createGauge(registry, 'sociallogin_site_table_age_seconds', (gauge) => gauge.set(sites.ageMs() / 1_000))
  const checkCaller = createCallerCheck({ sites, trusted_hops: config.TRUSTED_PROXY_HOPS, baseOf })
  const callers = { checkCaller, reject, registry }
  const onResponse = createResponseCounter(registry, usageCounter.record)
  const eventNotices = stack.use(createEventNotices({ bus, logger }))
  const earlyRejection = createEarlyRejection({
    ...callers,
    operationsByPath: mapOperationPaths(config.PROVIDER_NAMES),
    findReachedLimit: (site) => findReachedLimit(site, { peers, windows }),
    windowSeconds,
    webApiUrl: config.WEB_API_URL,
    logger,
    record: createResponseRecorder({ logger, registry, onResponse }),
  })
  const app = createGateway({
    baseOf,
    findHostProof: apiHosts.findProof,
    auth_url: config.AUTH_URL,
    identifyCaller: createIdentifyCaller(callers),
    findChecked: earlyRejection.findChecked,
    limitRate: createRateLimitCheck(rateLimiter, registry, windowSeconds),
    slots,
    isOwnKey: (text) => isApiKey(text) || sites.find(text) !== undefined,
    isSiteKnown: ({ site, api_key_id }) => sites.hasKey(site, api_key_id),
    isStopping: readiness.isStopping,
    runIdempotent: createRunIdempotent(clients.identity, responseEncryptor, logger),
    deps: {
      ...clients,
      names: config.PROVIDER_NAMES,
      cursors: createCursors(config.CURSOR_KEY),
      eventNotices,
      webApiUrl: config.WEB_API_URL,
    },
    onResponse,
    logger,
    registry,
    trustTraceparent: config.TRUST_TRACEPARENT,
  })
  const { port } = stack.use(
    await listenHttp(config, {
      app,
      headers: dataHeaders,
      registry,
      readiness,
      respondEarly: (request, response) =>
        slots.rejectIfFull(response) || earlyRejection.respondEarly(request, response),
    }),
  )
  return { port }
}
