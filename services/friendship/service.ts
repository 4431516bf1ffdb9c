import { clients, connectBus, serve } from '#bus'
import { friendship } from '#contracts'
import { gather, openDatabase, refuseOutages, schemaBecomesCurrent } from '#database'
import type { Service } from '#runtime'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { handlers } from './handlers/index.ts'
import { migrations } from './migrations/index.ts'
import { place } from './station.ts'
import { findStatuses } from './statuses.ts'

export const service: Service<Config, void> = async (config, { logger, registry, readiness, stack }) => {
  const database = stack.use(await openDatabase(config.DATABASE_URL, { name: 'friendship', logger, registry }))
  await schemaBecomesCurrent(database.knex, migrations, { logger, registry })
  const bus = stack.use(await connectBus(config.NATS_URL, { name: place.name, logger, registry, files: config }))
  const { knex } = database
  const deps: Deps = {
    knex,
    findStatus: gather((linkIds) => findStatuses(knex, linkIds)),
    ...clients(bus, place, registry),
  }
  stack.use(serve(bus, friendship, refuseOutages(handlers), deps, { logger, registry }))
  readiness.require('database', database.usable)
  readiness.require('bus', bus.connected)
}
