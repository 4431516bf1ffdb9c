import { announceAvailability, type BusService, createClients, openBus, publishNotice, serveContract } from '#bus'
import { eventsContract } from '#contracts'
import { openDatabase, translateOutages, waitForSchema } from '#database'
import { createCounter, createHistogram, startCleanup } from '#runtime'
import { busInterface } from './bus.ts'
import type { Config } from './config.ts'
import { deleteOldData } from './delete-old-data.ts'
import type { Deps } from './deps.ts'
import { handlers } from './handlers/index.ts'
import { migrations } from './migrations/index.ts'

export const service: BusService<Config, void> = async (config, context) => {
  const { logger, registry, readiness, stack } = context
  const database = stack.use(await openDatabase(config, { name: 'events', logger, registry }))
  await waitForSchema(database.knex, migrations, { logger, registry })
  const bus = stack.use(await openBus(busInterface, config, context))
  const { knex, reader } = database
  const deps: Deps = {
    knex,
    reader,
    ...createClients(bus, busInterface, registry),
    publishRecorded: (sites) => {
      // The gateways also poll.
      if (bus.connected()) publishNotice(bus, eventsContract, 'recorded', { sites })
    },
    received: createCounter(registry, 'sociallogin_events_recorded_total'),
    lag: createHistogram(registry, 'sociallogin_events_lag_seconds'),
  }
  stack.use(serveContract(bus, eventsContract, translateOutages(handlers), deps, { logger, registry, readiness }))
  stack.use(startCleanup('events', () => deleteOldData(knex, config.EVENTS_DAYS), { logger, registry }))
  readiness.require('database', database.usable)
  readiness.require('bus', bus.connected)
  stack.use(announceAvailability(bus, eventsContract, readiness))
}
