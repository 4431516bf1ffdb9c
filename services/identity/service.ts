import { connectBus, createClients, serveContract } from '#bus'
import { identity } from '#contracts'
import { createBatchLoader, openDatabase, schemaBecomesCurrent, startJobWorker, translateOutages } from '#database'
import type { Service } from '#runtime'
import { startCountingUsers } from './background/count-users.ts'
import { startFoldingUserCounts } from './background/fold-user-counts.ts'
import { startForgettingLogins } from './background/forget-logins.ts'
import { busInterface } from './bus.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { handlers } from './handlers/index.ts'
import { migrations } from './migrations/index.ts'
import { createOutbox } from './outbox.ts'
import { startHeartbeat, tellSitesChanged } from './sites-changed.ts'
import { findUsers } from './store/user-look-up.ts'

export const service: Service<Config, void> = async (config, { logger, registry, readiness, stack }) => {
  const database = stack.use(await openDatabase(config.DATABASE_URL, { name: 'identity', logger, registry }))
  await schemaBecomesCurrent(database.knex, migrations, { logger, registry })
  const bus = stack.use(await connectBus(config.NATS_URL, { name: busInterface.name, logger, registry, files: config }))
  const asked = createClients(bus, busInterface, registry)
  const { knex } = database
  const outbox = createOutbox(asked, { knex, logger })
  const deps: Deps = {
    knex,
    findUser: createBatchLoader((wanted) => findUsers(knex, wanted)),
    outbox,
    provider_auth: asked.provider_auth,
    tellSitesChanged: (revision) => tellSitesChanged(bus, revision),
    logger,
  }
  stack.use(serveContract(bus, identity, translateOutages(handlers), deps, { logger, registry }))
  stack.use(await startJobWorker(config.DATABASE_URL, outbox.tasks, { logger, registry, knex }))
  stack.use(startHeartbeat(deps))
  stack.use(startFoldingUserCounts(deps))
  stack.use(startForgettingLogins({ knex, registry, logger }))
  stack.use(startCountingUsers({ knex, registry, logger }))
  readiness.require('database', database.usable)
  readiness.require('bus', bus.connected)
}
