import { announceAvailability, type BusService, createClients, newCall, openBus, serveContract } from '#bus'
import { type NewEvent, profileContract } from '#contracts'
import {
  createPersonalData,
  deleteExpiredCommands,
  openDatabase,
  openReadReplicas,
  serveStaleReads,
  startEventRelay,
  startJobWorker,
  translateOutages,
  waitForSchema,
} from '#database'
import { createEncryptor, openKeyRing, repeatInBackground, startCleanup } from '#runtime'
import { busInterface } from './bus.ts'
import type { Config } from './config.ts'
import { deleteExcludedFieldsTask } from './delete-excluded-fields.ts'
import type { Deps } from './deps.ts'
import { combinedColumn, linkDataColumn } from './encrypted-values.ts'
import { handlers } from './handlers/index.ts'
import { indexUsersTask, rotateSearchKeys } from './index-users.ts'
import { migrations } from './migrations/index.ts'
import { createSearchIndex } from './search-index.ts'
import { createSearchKeys } from './search-keys.ts'

/** Pause between looks for keys of search terms that are encrypted with an earlier key of the ring. Our choice. */
const rotationMs = 60_000

export const service: BusService<Config, void> = async (config, context) => {
  const { logger, registry, readiness, stack } = context
  const database = stack.use(await openDatabase(config, { name: 'profile', logger, registry }))
  await waitForSchema(database.knex, migrations, { logger, registry })
  const replicas = stack.use(openReadReplicas(config, database, { name: 'profile', logger, registry }))
  const bus = stack.use(await openBus(busInterface, config, context))
  const { knex, reader } = database
  const encryptor = stack.use(await createEncryptor(openKeyRing(config, logger), { logger, registry }))
  const searchKeys = createSearchKeys(encryptor)
  const searchIndex = createSearchIndex(searchKeys)
  const encrypts = config.ENCRYPT_PERSONAL_DATA
  const deps: Deps = {
    knex,
    reader,
    searchIndex,
    searchKeys,
    encryptor,
    combinedData: createPersonalData(combinedColumn, { encryptor, encrypts }),
    linkData: createPersonalData(linkDataColumn, { encryptor, encrypts }),
    eventEncryptor: encrypts ? encryptor : null,
  }
  const clients = createClients(bus, busInterface, registry)
  const record = (events: NewEvent[]) => clients.events.record({ events }, newCall())
  const tasks = { deleteExcludedFields: deleteExcludedFieldsTask(deps), indexUsers: indexUsersTask(deps) }
  const serving = translateOutages(serveStaleReads(profileContract, handlers, replicas))
  stack.use(serveContract(bus, profileContract, serving, deps, { logger, registry, readiness }))
  stack.use(startJobWorker(tasks, { logger, registry, knex }))
  stack.use(startEventRelay({ knex, record, encryptor, logger, registry }))
  stack.use(startCleanup('commands', () => deleteExpiredCommands(knex), { logger, registry }))
  const failure = 'keys of search terms not rotated; retrying in a minute'
  stack.use(repeatInBackground(() => rotateSearchKeys(deps), { intervalMs: rotationMs, logger, failure }))
  readiness.require('database', database.usable)
  readiness.require('bus', bus.connected)
  stack.use(announceAvailability(bus, profileContract, readiness))
}
