import { announceAvailability, type BusService, createClients, newCall, openBus, serveContract } from '#bus'
import { friendshipContract, type NewEvent } from '#contracts'
import { openDatabase, startEventRelay, translateOutages, waitForSchema } from '#database'
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
  const { events, provider_auth } = createClients(bus, busInterface, registry)
  const deps: Deps = { knex, reader, provider_auth }
  stack.use(serveContract(bus, friendshipContract, translateOutages(handlers), deps, { logger, registry, readiness }))
  const record = (given: NewEvent[]) => events.record({ events: given }, newCall())
  stack.use(startEventRelay({ knex, record, logger, registry }))
  readiness.require('database', database.usable)
  readiness.require('bus', bus.connected)
  stack.use(announceAvailability(bus, friendshipContract, readiness))
}
