import { join } from 'node:path'
import { announceAvailability, type BusService, createClients, openBus, serveContract } from '#bus'
import { consoleContract } from '#contracts'
import { openDatabase, translateOutages, waitForSchema } from '#database'
import { compilePrivateAddresses, listenHttp, pageHeaders, withStrictTransportSecurity } from '#http'
import { createAddressRules, createGuardedFetch, createTxtFinder } from '#http-client'
import { createEncryptor, openKeyRing } from '#runtime'
import { createConsole } from './app.ts'
import { createDestinationRules } from './audit-streams/destination.ts'
import { createStreamMetrics, startStreamMetrics } from './audit-streams/metrics.ts'
import { startStreamSecretReencryption } from './audit-streams/secrets.ts'
import { createRecordSender } from './audit-streams/send-records.ts'
import { startAuditStreams } from './audit-streams/stream-worker.ts'
import { startBulkChanges } from './background/bulk-changes.ts'
import { startSiteDeletions } from './background/delete-sites.ts'
import { startImportCleanup } from './background/import-cleanup.ts'
import { startLoginLogCleanup } from './background/login-log-cleanup.ts'
import { startSiteMoves } from './background/move-sites.ts'
import { startNotices } from './background/notices.ts'
import { startProviderSecretReencryption } from './background/reencrypt-provider-secrets.ts'
import { startSignInCleanup } from './background/sign-in-cleanup.ts'
import { startUsageCleanup } from './background/usage-cleanup.ts'
import { busInterface } from './bus.ts'
import { type Config, isDevelopment, readMailServer, readOperatorProvider } from './config.ts'
import type { Deps } from './deps.ts'
import { createExporter } from './exports/exporter.ts'
import { reportHandlers } from './handlers/reports.ts'
import { migrations } from './migrations/index.ts'
import { createChatSender } from './notices/send-chat.ts'
import { createEmailSender } from './notices/send-email.ts'
import { createNoticeSender } from './notices/sender.ts'
import { createPictureThread } from './pictures/picture-thread.ts'
import { createUserPictures, pictureRequests } from './pictures/user-pictures.ts'
import { createAccountProviders } from './sign-in/account-providers.ts'
import { createOperatorProvider } from './sign-in/operator-provider.ts'

const webDirectory = join(import.meta.dirname, 'web/dist')

/** Limits of a request to the OpenID Provider of an account. Our choice. */
const providerRequests = { timeoutMs: 5_000, maxBytes: 1_048_576 }

/** The management console: Admin API, members, audit trail, and the web console. */
export const service: BusService<Config, { port: number }> = createConsoleService({ now: () => new Date() })

/** Creates the service; tests pass a clock and a directory of the web console. */
export function createConsoleService({
  now,
  web = webDirectory,
}: Pick<Deps, 'now'> & { web?: string }): BusService<Config, { port: number }> {
  return async (config, context) => {
    const { logger, registry, readiness, stack } = context
    const providerSettings = readOperatorProvider(config)
    const sendEmail = createEmailSender(readMailServer(config), new URL(config.CONSOLE_URL).hostname)
    const database = stack.use(await openDatabase(config, { name: 'console', logger, registry }))
    const { knex } = database
    await waitForSchema(knex, migrations, { logger, registry })
    const bus = stack.use(await openBus(busInterface, config, context))
    readiness.require('database', database.usable)
    readiness.require('bus', bus.connected)

    const encryptor = stack.use(await createEncryptor(openKeyRing(config, logger), { logger, registry }))
    const allowsPrivate = compilePrivateAddresses(config.WEBHOOK_PRIVATE_ADDRESSES)
    const { isPrivateAllowed, isUrlAllowed } = createAddressRules(allowsPrivate)
    const chats = stack.use(createChatSender(isPrivateAllowed))
    const notices = createNoticeSender({ sendEmail, chats, encryptor })
    const allowsPrivateSignIn = compilePrivateAddresses(config.SIGN_IN_PRIVATE_ADDRESSES)
    const signInRules = createAddressRules(allowsPrivateSignIn)
    const { fetch } = stack.use(
      createGuardedFetch({ ...providerRequests, isPrivateAllowed: signInRules.isPrivateAllowed }),
    )
    // No setting allows private addresses, because end users can choose the URL.
    const ownMachine = compilePrivateAddresses(isDevelopment(config) ? ['127.0.0.0/8', '::1'] : [])
    const pictureThread = stack.use(createPictureThread())
    const pictureRules = createAddressRules(ownMachine)
    const pictures = stack.use(
      createGuardedFetch({ ...pictureRequests, isPrivateAllowed: pictureRules.isPrivateAllowed }),
    )
    const clients = createClients(bus, busInterface, registry)
    const streamSender = createRecordSender({ isPrivateAllowed, hostName: new URL(config.CONSOLE_URL).hostname })
    const deps: Deps = {
      knex,
      ...clients,
      exporter: stack.use(createExporter({ knex, ...clients, now, logger, registry })),
      consoleUrl: config.CONSOLE_URL,
      documentationUrl: config.DOCUMENTATION_URL ?? '',
      operatorProvider: providerSettings && createOperatorProvider(providerSettings, config.CONSOLE_URL),
      accountProviders: createAccountProviders({
        consoleUrl: config.CONSOLE_URL,
        encryptor,
        fetch,
        isUrlAllowed: signInRules.isUrlAllowed,
        allowsHttp: allowsPrivateSignIn !== undefined,
      }),
      findTxtRecord: createTxtFinder(config.DOMAIN_PROOF_DNS_SERVERS),
      isDevelopment: isDevelopment(config),
      headers: withStrictTransportSecurity(pageHeaders, config.CONSOLE_URL),
      trustedHops: config.TRUSTED_PROXY_HOPS,
      notices,
      encryptor,
      isUrlAllowed,
      streamSender,
      streamRules: createDestinationRules(allowsPrivate),
      pictureThread,
      userPictures: createUserPictures({
        fetch: pictures.fetch,
        thread: pictureThread,
        isUrlAllowed: pictureRules.isUrlAllowed,
        now,
      }),
      loginLogDays: config.LOGIN_LOG_DAYS,
      now,
      logger,
      registry,
    }
    stack.use(startSignInCleanup(deps))
    stack.use(startProviderSecretReencryption({ ...deps, encryptor }))
    stack.use(startImportCleanup(deps))
    stack.use(startUsageCleanup(deps))
    stack.use(startLoginLogCleanup(deps))
    stack.use(startSiteDeletions(deps))
    stack.use(startSiteMoves(deps))
    stack.use(startBulkChanges(deps))
    stack.use(startNotices({ ...deps, encryptor, sender: notices }))
    const recordResult = createStreamMetrics(registry)
    stack.use(startAuditStreams({ knex, encryptor, sender: streamSender, recordResult, logger }))
    stack.use(startStreamSecretReencryption(deps))
    stack.use(startStreamMetrics(deps))
    stack.use(
      serveContract(bus, consoleContract, translateOutages(reportHandlers), deps, { logger, registry, readiness }),
    )
    const { port } = stack.use(
      await listenHttp(config, { app: createConsole(deps, web), headers: deps.headers, registry, readiness }),
    )
    stack.use(announceAvailability(bus, consoleContract, readiness))
    return { port }
  }
}
