import { announceAvailability, type BusService, createClients, openBus, publishNotice, serveContract } from '#bus'
import { eventsContract } from '#contracts'
import { createPersonalData, openDatabase, translateOutages, waitForSchema } from '#database'
import { compilePrivateAddresses } from '#http'
import { createAddressRules } from '#http-client'
import { createCounter, createEncryptor, createHistogram, openKeyRing, startCleanup } from '#runtime'
import { createWebhookSender } from '#webhooks'
import { busInterface } from './bus.ts'
import type { Config } from './config.ts'
import { deleteOldData } from './delete-old-data.ts'
import { startDeliveryWorker } from './delivery/delivery-worker.ts'
import { createDeliveryMetrics, startEndpointMetrics } from './delivery/metrics.ts'
import { startSecretReencryption } from './delivery/reencrypt-secrets.ts'
import type { Deps } from './deps.ts'
import { eventDataColumn } from './encrypted-values.ts'
import { handlers } from './handlers/index.ts'
import { migrations } from './migrations/index.ts'

export const service: BusService<Config, void> = async (config, context) => {
  const { logger, registry, readiness, stack } = context
  const database = stack.use(await openDatabase(config, { name: 'events', logger, registry }))
  await waitForSchema(database.knex, migrations, { logger, registry })
  const bus = stack.use(await openBus(busInterface, config, context))
  const { knex, reader } = database
  const encryptor = stack.use(await createEncryptor(openKeyRing(config, logger), { logger, registry }))
  const eventData = createPersonalData(eventDataColumn, { encryptor, encrypts: config.ENCRYPT_PERSONAL_DATA })
  const { isPrivateAllowed, isUrlAllowed } = createAddressRules(
    compilePrivateAddresses(config.WEBHOOK_PRIVATE_ADDRESSES),
  )
  const sender = stack.use(createWebhookSender(isPrivateAllowed))
  const names = config.PROVIDER_NAMES
  const recordAttempt = createDeliveryMetrics(registry)
  const delivery = stack.use(startDeliveryWorker({ knex, eventData, encryptor, sender, names, recordAttempt, logger }))
  stack.use(startSecretReencryption({ knex, encryptor, logger }))
  stack.use(startEndpointMetrics({ knex, registry, logger }))
  const deps: Deps = {
    knex,
    reader,
    ...createClients(bus, busInterface, registry),
    eventData,
    encryptor,
    sender,
    delivery,
    names,
    isUrlAllowed,
    publishRecorded: (sites) => {
      delivery.wake()
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
