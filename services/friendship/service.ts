import { announceAvailability, type BusService, createClients, openBus, serveContract } from '#bus'
import { friendshipContract } from '#contracts'
import { openDatabase, translateOutages, waitForSchema } from '#database'
import { busInterface } from './bus.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { handlers } from './handlers/index.ts'
import { migrations } from './migrations/index.ts'

export const service: BusService<Config, void> = async (config, context) => {
  const { logger, registry, readiness, stack } = context
  const database = stack.use(await openDatabase(config, { name: 'friendship', logger, registry }))
  await waitForSchema(database.knex, migrations, { logger, registry })
  const bus = stack.use(await openBus(busInterface, config, context))
  const { knex, reader } = database
  const deps: Deps = {
    knex,
    reader,
    ...createClients(bus, busInterface, registry),
  }
  stack.use(serveContract(bus, friendshipContract, translateOutages(handlers), deps, { logger, registry, readiness }))
  readiness.require('database', database.usable)
  readiness.require('bus', bus.connected)
  stack.use(announceAvailability(bus, friendshipContract, readiness))
}
