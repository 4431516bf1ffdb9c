import { connectBus, serve } from '#bus'
import { profile } from '#contracts'
import { gather, openDatabase, refuseOutages, schemaBecomesCurrent, startJobs } from '#database'
import type { Service } from '#runtime'
import { clearingTask } from './clearing.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { handlers } from './handlers/index.ts'
import { migrations } from './migrations/index.ts'
import { place } from './station.ts'
import { findProfiles, findProhibitions } from './store/profiles.ts'
import { findProviderData } from './store/provider-profiles.ts'

export const service: Service<Config, void> = async (config, { logger, registry, readiness, stack }) => {
  const database = stack.use(await openDatabase(config.DATABASE_URL, { name: 'profile', logger, registry }))
  await schemaBecomesCurrent(database.knex, migrations, { logger, registry })
  const bus = stack.use(await connectBus(config.NATS_URL, { name: place.name, logger, registry, files: config }))
  const { knex } = database
  const deps: Deps = {
    knex,
    findProfile: gather((users) => findProfiles(knex, users)),
    findProviderData: gather((linkIds) => findProviderData(knex, linkIds)),
    findProhibition: gather((users) => findProhibitions(knex, users)),
  }
  stack.use(serve(bus, profile, refuseOutages(handlers), deps, { logger, registry }))
  stack.use(await startJobs(config.DATABASE_URL, { clearNotStored: clearingTask(knex) }, { logger, registry, knex }))
  readiness.require('database', database.usable)
  readiness.require('bus', bus.connected)
}
