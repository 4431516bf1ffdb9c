import { announceAvailability, connectBus, serveContract } from '#bus'
import { profileContract } from '#contracts'
import {
  createBatchLoader,
  deleteExpiredCommands,
  openDatabase,
  startJobWorker,
  translateOutages,
  waitForSchema,
} from '#database'
import { type Service, startCleanup } from '#runtime'
import { busInterface } from './bus.ts'
import type { Config } from './config.ts'
import { deleteExcludedFieldsTask } from './delete-excluded-fields.ts'
import type { Deps } from './deps.ts'
import { handlers } from './handlers/index.ts'
import { migrations } from './migrations/index.ts'
import { findProfiles, findProhibitions } from './store/profiles.ts'
import { findProviderData } from './store/provider-profiles.ts'

export const service: Service<Config, void> = async (config, { logger, registry, readiness, stack }) => {
  const database = stack.use(await openDatabase(config.DATABASE_URL, { name: 'profile', logger, registry }))
  await waitForSchema(database.knex, migrations, { logger, registry })
  const bus = stack.use(await connectBus(config.NATS_URL, { name: busInterface.name, logger, registry, files: config }))
  const { knex } = database
  const deps: Deps = {
    knex,
    findProfile: createBatchLoader((users) => findProfiles(knex, users)),
    findProviderData: createBatchLoader((linkIds) => findProviderData(knex, linkIds)),
    findProhibition: createBatchLoader((users) => findProhibitions(knex, users)),
  }
  stack.use(serveContract(bus, profileContract, translateOutages(handlers), deps, { logger, registry, readiness }))
  stack.use(startJobWorker({ deleteExcludedFields: deleteExcludedFieldsTask(knex) }, { logger, registry, knex }))
  stack.use(startCleanup('commands', () => deleteExpiredCommands(knex), { logger, registry }))
  readiness.require('database', database.usable)
  readiness.require('bus', bus.connected)
  stack.use(announceAvailability(bus, profileContract, readiness))
}
