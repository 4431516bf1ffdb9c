import { join } from 'node:path'
import { connectBus, createClients, serveContract } from '#bus'
import { consoleReports } from '#contracts'
import { openDatabase, translateOutages, waitForSchema } from '#database'
import { listenHttp, pageHeaders, withStrictTransportSecurity } from '#http'
import type { Service } from '#runtime'
import { createConsole } from './app.ts'
import { startSweep } from './background/sweep-sign-ins.ts'
import { startUsageSweep } from './background/sweep-usage.ts'
import { busInterface } from './bus.ts'
import { type Config, isDevelopment, readOperatorProvider } from './config.ts'
import type { Deps } from './deps.ts'
import { createExporter } from './exports/exporter.ts'
import { reportHandlers } from './handlers/reports.ts'
import { migrations } from './migrations/index.ts'
import { operatorProvider } from './sign-in/provider.ts'

const webDirectory = join(import.meta.dirname, 'web/dist')

/** The management console: Admin API, members, audit trail, and the web console. */
export const service: Service<Config, { port: number }> = consoleService({ now: () => new Date() })

/** The service by another clock, or with a web console from elsewhere. */
export function consoleService({
  now,
  web = webDirectory,
}: Pick<Deps, 'now'> & { web?: string }): Service<Config, { port: number }> {
  return async (config, { logger, registry, readiness, stack }) => {
    const ownProvider = readOperatorProvider(config)
    const database = stack.use(await openDatabase(config.DATABASE_URL, { name: 'console', logger, registry }))
    const { knex } = database
    await waitForSchema(knex, migrations, { logger, registry })
    const bus = stack.use(
      await connectBus(config.NATS_URL, { name: busInterface.name, logger, registry, files: config }),
    )
    readiness.require('database', database.usable)
    readiness.require('bus', bus.connected)

    const owners = createClients(bus, busInterface, registry)
    const deps: Deps = {
      knex,
      ...owners,
      exporter: stack.use(createExporter({ knex, ...owners, now, logger, registry })),
      console_url: config.CONSOLE_URL,
      operator_provider: ownProvider && operatorProvider(ownProvider, config.CONSOLE_URL),
      development: isDevelopment(config),
      headers: withStrictTransportSecurity(pageHeaders, config.CONSOLE_URL),
      trusted_hops: config.TRUSTED_PROXY_HOPS,
      now,
      logger,
      registry,
    }
    stack.use(startSweep(deps))
    stack.use(startUsageSweep(deps))
    stack.use(serveContract(bus, consoleReports, translateOutages(reportHandlers), deps, { logger, registry }))
    const { port } = stack.use(
      await listenHttp(config, { app: createConsole(deps, web), headers: deps.headers, registry }),
    )
    return { port }
  }
}
