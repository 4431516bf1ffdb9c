import {
  announceAvailability,
  type BusService,
  createClients,
  newCall,
  onAvailability,
  openBus,
  serveContract,
} from '#bus'
import { identityContract, type NewEvent } from '#contracts'
import {
  deleteExpiredCommands,
  openDatabase,
  openReadReplicas,
  retryJobs,
  serveStaleReads,
  startEventRelay,
  startJobWorker,
  translateOutages,
  waitForSchema,
} from '#database'
import { startCleanup } from '#runtime'
import { startCompletingErasures } from './background/complete-erasures.ts'
import { startCountingUsers } from './background/count-users.ts'
import { startDeletingDueUsers } from './background/delete-due-users.ts'
import { startLoginHistoryCleanup } from './background/delete-old-logins.ts'
import { startNoticingInactiveUsers } from './background/notice-inactive-users.ts'
import { startUserCountRollup } from './background/roll-up-user-counts.ts'
import { busInterface } from './bus.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { handlers } from './handlers/index.ts'
import { createIndexMetadataTask } from './index-metadata.ts'
import { createSchemaReader } from './metadata-validation.ts'
import { migrations } from './migrations/index.ts'
import { createIdentityOutbox, identityOutboxServices } from './outbox.ts'
import { publishSitesChanged, startHeartbeat } from './sites-changed.ts'
import { deleteExpiredErasures } from './store/expired-erasures.ts'
import { deleteExpiredResponses } from './store/stored-responses.ts'

export const service: BusService<Config, void> = async (config, context) => {
  const { logger, registry, readiness, stack } = context
  const database = stack.use(await openDatabase(config, { name: 'identity', logger, registry }))
  await waitForSchema(database.knex, migrations, { logger, registry })
  const replicas = stack.use(openReadReplicas(config, database, { name: 'identity', logger, registry }))
  const bus = stack.use(await openBus(busInterface, config, context))
  const clients = createClients(bus, busInterface, registry)
  const { knex, reader } = database
  const outbox = createIdentityOutbox(clients, { knex, logger })
  const deps: Deps = {
    knex,
    reader,
    outbox,
    provider_auth: clients.provider_auth,
    publishSitesChanged: (revision) => publishSitesChanged(bus, revision),
    readSiteSchemas: createSchemaReader(),
    logger,
  }
  const serving = translateOutages(serveStaleReads(identityContract, handlers, replicas))
  stack.use(serveContract(bus, identityContract, serving, deps, { logger, registry, readiness }))
  const tasks = { ...outbox.tasks, indexMetadata: createIndexMetadataTask(knex) }
  stack.use(startJobWorker(tasks, { logger, registry, knex }))
  const record = (events: NewEvent[]) => clients.events.record({ events }, newCall())
  stack.use(startEventRelay({ knex, record, logger, registry }))
  const retryOutbox = () => retryJobs(knex, Object.keys(outbox.tasks))
  stack.use(onAvailability(bus, identityOutboxServices, retryOutbox, logger))
  stack.use(startHeartbeat(deps))
  stack.use(startUserCountRollup(deps))
  stack.use(startLoginHistoryCleanup({ knex, registry, logger }))
  stack.use(startDeletingDueUsers(deps))
  stack.use(startCompletingErasures({ knex, logger, clients }))
  stack.use(startNoticingInactiveUsers(deps))
  stack.use(startCountingUsers({ knex, registry, logger }))
  const deleteExpired = async () => {
    await deleteExpiredCommands(knex)
    await deleteExpiredResponses(knex)
    await deleteExpiredErasures(knex)
  }
  stack.use(startCleanup('commands', deleteExpired, { logger, registry }))
  readiness.require('database', database.usable)
  readiness.require('bus', bus.connected)
  stack.use(announceAvailability(bus, identityContract, readiness))
}
