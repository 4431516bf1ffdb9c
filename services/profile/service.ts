import { announceAvailability, type BusService, createClients, newCall, openBus, serveContract } from '#bus'
import { type NewEvent, profileContract } from '#contracts'
import {
  deleteExpiredCommands,
  openDatabase,
  startEventRelay,
  startJobWorker,
  translateOutages,
  waitForSchema,
} from '#database'
import { startCleanup } from '#runtime'
import { busInterface } from './bus.ts'
import type { Config } from './config.ts'
import { deleteExcludedFieldsTask } from './delete-excluded-fields.ts'
import type { Deps } from './deps.ts'
import { handlers } from './handlers/index.ts'
import { migrations } from './migrations/index.ts'

export const service: BusService<Config, void> = async (config, context) => {
  const { logger, registry, readiness, stack } = context
  const database = stack.use(await openDatabase(config, { name: 'profile', logger, registry }))
  await waitForSchema(database.knex, migrations, { logger, registry })
  const bus = stack.use(await openBus(busInterface, config, context))
  const { knex, reader } = database
  const deps: Deps = { knex, reader }
  const clients = createClients(bus, busInterface, registry)
  const record = (events: NewEvent[]) => clients.events.record({ events }, newCall())
  stack.use(serveContract(bus, profileContract, translateOutages(handlers), deps, { logger, registry, readiness }))
  stack.use(startJobWorker({ deleteExcludedFields: deleteExcludedFieldsTask(knex) }, { logger, registry, knex }))
  stack.use(startEventRelay({ knex, record, logger, registry }))
  stack.use(startCleanup('commands', () => deleteExpiredCommands(knex), { logger, registry }))
  readiness.require('database', database.usable)
  readiness.require('bus', bus.connected)
  stack.use(announceAvailability(bus, profileContract, readiness))
}
