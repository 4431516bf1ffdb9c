import {
  announceAvailability,
  type BusService,
  createClients,
  newCall,
  onAvailability,
  openBus,
  serveContract,
  startReporting,
} from '#bus'
import { type NewEvent, providerAuthContract } from '#contracts'
import { openDatabase, retryJobs, startEventRelay, startJobWorker, translateOutages, waitForSchema } from '#database'
import { compilePrivateAddresses, listenHttp, pageHeaders, withStrictTransportSecurity } from '#http'
import { createAddressRules } from '#http-client'
import { createCounter, createEncryptor, createGauge, openKeyRing } from '#runtime'
import { createProviderAuthApp } from './app.ts'
import { busInterface } from './bus.ts'
import { type Config, rejectSimulatorInProduction } from './config.ts'
import { openCountryDatabase } from './country-database.ts'
import type { Deps } from './deps.ts'
import { handlers } from './handlers/index.ts'
import { startHostChecks } from './hosts/check-host.ts'
import { parseHostPattern } from './hosts/host-pattern.ts'
import { openHostTable } from './hosts/host-table.ts'
import { createHosts } from './hosts/locate.ts'
import { createProofFinder } from './hosts/proof.ts'
import { createLoginTasks } from './login/callback/complete-interrupted-login.ts'
import { createLoginRateLimiter } from './login/pending/login-rate-limiter.ts'
import { createImportTasks } from './login/user-import/complete-batch.ts'
import { migrations } from './migrations/index.ts'
import { openSigningKeys } from './openid/signing-keys/open.ts'
import { createProviderAuthOutbox, providerAuthOutboxServices } from './outbox.ts'
import { renderPreview } from './pages/preview/preview.ts'
import { openRedis } from './redis.ts'
import { createCompatibilityReader } from './site-compatibility.ts'
import { openSiteSettings } from './site-settings.ts'
import { createUsedLogins } from './store/used-logins.ts'
import { loadPageLanguages } from './texts/page-languages.ts'
import { startTokenCleanup } from './token-cleanup.ts'
import { createHttpClient } from './upstream/http-client/index.ts'
import { createPublicFileReader } from './upstream/http-client/public-file.ts'
import { createDiscovery } from './upstream/providers/discovery.ts'
import { connectProviders } from './upstream/providers/index.ts'
import { createCatalogMapper } from './upstream/providers/simulator-address.ts'
import { createRevocationTasks } from './upstream/revocation/revoke.ts'
import { createCredentialRefresher } from './upstream/token-refresh/credential-refresher.ts'
import { startReauthMetrics } from './upstream/token-refresh/reauth-metrics.ts'
import { createDeviceEventReader } from './upstream/webhooks/device.ts'
import { createSecurityEventReader } from './upstream/webhooks/search.ts'
import { getEventSigner } from './upstream/webhooks/signed-token.ts'
import { createLoginLog } from './usage/login-log.ts'
import { createLoginUsage } from './usage/login-usage.ts'
import { createRejectionBuffer } from './usage/rejection-buffer.ts'

/** Runs the OpenID Provider and its authorization endpoint, and stores the login providers' credentials. */
export const service: BusService<Config, { port: number }> = async (config, context) => {
  const { logger, registry, readiness, stack } = context
  rejectSimulatorInProduction(config)
  const database = stack.use(await openDatabase(config, { name: 'provider-auth', logger, registry }))
  const { knex, reader } = database
  await waitForSchema(knex, migrations, { logger, registry })
  const redis = stack.use(await openRedis(config, logger))
  createGauge(registry, 'sociallogin_redis_connected', (gauge) => gauge.set(redis.usable() ? 1 : 0))
  const bus = stack.use(await openBus(busInterface, config, context))
  const { console, ...clients } = createClients(bus, busInterface, registry)
  const usage = createLoginUsage()
  stack.use(startReporting({ take: usage.take, send: console.reportLogins, logger, registry }))
  const rejections = createRejectionBuffer()
  stack.use(startReporting({ take: rejections.take, send: console.reportRejections, logger, registry }))
  const loginLog = createLoginLog(registry)
  stack.use(startReporting({ take: loginLog.take, send: console.reportLoginRecords, logger, registry }))
  const { findCountry } = stack.use(openCountryDatabase(config.COUNTRY_DATABASE, { logger }))
  const simulatorUrl = config.PROVIDER_SIMULATOR_URL
  const simulatorInternalUrl = config.PROVIDER_SIMULATOR_INTERNAL_URL
  const circuitOpenMs = config.PROVIDER_CIRCUIT_OPEN_MS
  const addressRules = createAddressRules(compilePrivateAddresses(config.PROVIDER_PRIVATE_ADDRESSES))
  const httpClient = stack.use(
    createHttpClient({
      simulatorUrl,
      simulatorInternalUrl,
      isPrivateAllowed: addressRules.isPrivateAllowed,
      circuitOpenMs,
      usage,
      logger,
      registry,
    }),
  )
  const encryptor = stack.use(await createEncryptor(openKeyRing(config, logger), { logger, registry }))
  const signingKeys = stack.use(await openSigningKeys({ knex, encryptor, logger, registry }))
  readiness.require('database', database.usable)
  readiness.require('bus', bus.connected)

  const findProviderClient = connectProviders({ simulatorUrl, httpClient, logger, registry })
  const { refreshIfExpired } = stack.use(
    createCredentialRefresher({ knex, reader, encryptor, findProviderClient, logger, registry }),
  )

  const siteSettings = stack.use(openSiteSettings({ reader, encryptor, bus, logger }))
  const hostTable = stack.use(await openHostTable({ reader, bus, logger }))
  const fileReader = stack.use(createPublicFileReader(addressRules.isPrivateAllowed))
  const deps: Deps = {
    knex,
    reader,
    siteSettings,
    hasCompatibility: createCompatibilityReader({ ...clients, logger }),
    redis: redis.redis,
    encryptor,
    names: config.PROVIDER_NAMES,
    renderPreview,
    languages: loadPageLanguages(config.PAGE_LANGUAGES_DIRECTORY),
    auth_url: config.AUTH_URL,
    hosts: createHosts({
      table: hostTable,
      pattern: config.SITE_HOST_PATTERN === undefined ? undefined : parseHostPattern(config.SITE_HOST_PATTERN),
      auth_url: config.AUTH_URL,
      webApiUrl: config.WEB_API_URL,
      findSiteByName: siteSettings.findSiteByName,
    }),
    findHostProof: createProofFinder({ dnsServers: config.HOST_PROOF_DNS_SERVERS, fileReader }),
    isServed: () => true,
    webApiUrl: config.WEB_API_URL,
    headers: withStrictTransportSecurity(pageHeaders, config.AUTH_URL),
    trusted_hops: config.TRUSTED_PROXY_HOPS,
    trustTraceparent: config.TRUST_TRACEPARENT,
    findProviderClient,
    discoverEndpoints: createDiscovery({
      fetch: httpClient.fetchConfigured,
      toAddress: createCatalogMapper(simulatorUrl),
      isUrlAllowed: addressRules.isUrlAllowed,
    }),
    countStartedLogin: createLoginRateLimiter(config.LOGINS_PER_ADDRESS, { redis: redis.redis, registry }),
    usedLogins: createUsedLogins({ redis: redis.redis, logger }),
    readDeviceEvent: createDeviceEventReader(getEventSigner('device', simulatorUrl), httpClient.fetchFor('device')),
    readSecurityEvent: createSecurityEventReader(getEventSigner('search', simulatorUrl), httpClient.fetchFor('search')),
    refreshIfExpired,
    ...clients,
    outbox: createProviderAuthOutbox({ ...clients, console, redis: redis.redis, knex, encryptor, logger }),
    signingKeys,
    usage,
    rejections,
    loginLog,
    findCountry,
    authorizeFlows: createCounter(registry, 'sociallogin_authorize_flows_total'),
    logger,
    registry,
  }
  stack.use(startTokenCleanup(deps))
  stack.use(startReauthMetrics(deps))
  stack.use(startHostChecks(deps))
  const record = (given: NewEvent[]) => clients.events.record({ events: given }, newCall())
  stack.use(startEventRelay({ knex, record, logger, registry }))
  const interruptedTasks = { ...createLoginTasks(deps), ...createImportTasks(deps) }
  stack.use(startJobWorker({ ...deps.outbox.tasks, ...createRevocationTasks(deps), ...interruptedTasks }, deps))
  const retryOutbox = () => retryJobs(knex, Object.keys({ ...deps.outbox.tasks, ...interruptedTasks }))
  stack.use(onAvailability(bus, providerAuthOutboxServices, retryOutbox, logger))
  stack.use(announceAvailability(bus, providerAuthContract, readiness))
  stack.use(serveContract(bus, providerAuthContract, translateOutages(handlers), deps, { logger, registry, readiness }))
  const { port } = stack.use(
    await listenHttp(config, {
      app: createProviderAuthApp(deps, hostTable),
      headers: deps.headers,
      registry,
      readiness,
    }),
  )
  return { port }
}
