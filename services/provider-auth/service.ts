import { connectBus, createClients, serveContract, startReporting } from '#bus'
import { providerAuth } from '#contracts'
import { createBatchLoader, openDatabase, startJobWorker, translateOutages, waitForSchema } from '#database'
import { listenHttp, pageHeaders, withStrictTransportSecurity } from '#http'
import { createCounter, createEncryptor, createGauge, openKeyRing, type Service } from '#runtime'
import { createProviderAuthApp } from './app.ts'
import { busInterface } from './bus.ts'
import { type Config, refuseSimulator } from './config.ts'
import type { Deps } from './deps.ts'
import { startCountingReauth } from './fresh/count-reauth.ts'
import { createRenewer } from './fresh/renewer.ts'
import { handlers } from './handlers/index.ts'
import { createRejections } from './insight/rejections.ts'
import { createTally } from './insight/tally.ts'
import { openSigningKeys } from './keys/open.ts'
import { leavingTasks } from './leaving/leave.ts'
import { createStartedLoginCounter } from './login/started-logins.ts'
import { migrations } from './migrations/index.ts'
import { deviceNotices, deviceSigner } from './notices/device.ts'
import { openOutbound } from './outbound/index.ts'
import { createOutbox } from './outbox.ts'
import { connectProviders } from './providers/index.ts'
import { openRedis } from './redis.ts'
import { findCredentials } from './store/credentials.ts'
import { listEnabledProviders } from './store/provider-settings.ts'
import { createUsedLogins } from './store/used-logins.ts'
import { startSweep } from './sweep.ts'

/** The authorization endpoint, the OpenID Provider, and the vault of the login providers' credentials. */
export const service: Service<Config, { port: number }> = async (config, { logger, registry, readiness, stack }) => {
  refuseSimulator(config)
  const database = stack.use(await openDatabase(config.DATABASE_URL, { name: 'provider-auth', logger, registry }))
  const { knex } = database
  await waitForSchema(knex, migrations, { logger, registry })
  const redis = stack.use(await openRedis(config.REDIS_URL, { files: config, logger }))
  createGauge(registry, 'sociallogin_redis_connected', (gauge) => gauge.set(redis.usable() ? 1 : 0))
  const bus = stack.use(await connectBus(config.NATS_URL, { name: busInterface.name, logger, registry, files: config }))
  const { console, ...asked } = createClients(bus, busInterface, registry)
  const tally = createTally()
  stack.use(startReporting({ take: tally.take, send: console.reportLogins, logger, registry }))
  const rejections = createRejections()
  stack.use(startReporting({ take: rejections.take, send: console.reportRejections, logger, registry }))
  const simulatorUrl = config.PROVIDER_SIMULATOR_URL
  const circuitOpenMs = config.PROVIDER_CIRCUIT_OPEN_MS
  const outbound = stack.use(openOutbound({ simulatorUrl, circuit_open_ms: circuitOpenMs, tally, logger, registry }))
  const encryptor = stack.use(await createEncryptor(openKeyRing(config, logger), { logger, registry }))
  const keys = stack.use(await openSigningKeys({ knex, encryptor, logger, registry }))
  readiness.require('database', database.usable)
  readiness.require('redis', redis.usable)
  readiness.require('bus', bus.connected)

  const findLoginProvider = connectProviders({ simulatorUrl, outbound, logger })
  const { freshen } = stack.use(createRenewer({ knex, encryptor, findLoginProvider, logger, registry }))

  const deps: Deps = {
    knex,
    redis: redis.redis,
    encryptor,
    names: config.PROVIDER_NAMES,
    auth_url: config.AUTH_URL,
    webApiUrl: config.WEB_API_URL,
    headers: withStrictTransportSecurity(pageHeaders, config.AUTH_URL),
    trusted_hops: config.TRUSTED_PROXY_HOPS,
    trustTraceparent: config.TRUST_TRACEPARENT,
    findLoginProvider,
    countStartedLogin: createStartedLoginCounter(config.LOGINS_PER_ADDRESS, { redis: redis.redis, registry }),
    usedLogins: createUsedLogins({ redis: redis.redis, logger }),
    readDeviceNotice: deviceNotices(deviceSigner(simulatorUrl), outbound.fetchFor('device')),
    freshen,
    findCredential: createBatchLoader((linkIds) => findCredentials(knex, linkIds)),
    findEnabledProviders: createBatchLoader((sites) => listEnabledProviders(knex, sites)),
    ...asked,
    outbox: createOutbox({ ...asked, knex, encryptor, logger }),
    keys,
    tally,
    rejections,
    authorizeFlows: createCounter(registry, 'sociallogin_authorize_flows_total'),
    logger,
    registry,
  }
  stack.use(startSweep(deps))
  stack.use(startCountingReauth(deps))
  stack.use(await startJobWorker(config.DATABASE_URL, { ...deps.outbox.tasks, ...leavingTasks(deps) }, deps))
  stack.use(serveContract(bus, providerAuth, translateOutages(handlers), deps, { logger, registry }))
  const { port } = stack.use(
    await listenHttp(config, { app: createProviderAuthApp(deps), headers: deps.headers, registry }),
  )
  return { port }
}
