import { randomUUID } from 'node:crypto'
import { remainingMs } from '#bus'
import { Fault, limits } from '#contracts'
import { transaction } from '#database'
import { createWebhookSigner } from '#webhooks'
import { decryptSecrets } from '../delivery/secrets.ts'
import type { EventsHandlers } from '../deps.ts'
import { toTestBody } from '../domain/webhook-body.ts'
import { selectDeliveriesOfUser } from '../store/user-deliveries.ts'
import { planDeliveries, selectDeliveries } from '../store/webhook-delivery-log.ts'
import { lockEndpoint, selectEndpoints } from '../store/webhook-endpoints.ts'

/** Left of the caller's time for the response. Our choice. */
const responseMarginMs = 500

export const testEndpoint: EventsHandlers['testEndpoint'] = async (key, { knex, encryptor, sender }, call) => {
  const [endpoint] = await selectEndpoints(knex, key)
  if (endpoint === undefined) throw new Fault('entity_not_found')
  const id = randomUUID()
  const sign = createWebhookSigner(await decryptSecrets(endpoint, encryptor))
  const timeoutMs = Math.max(0, remainingMs(call) - responseMarginMs)
  const { attempt } = await sender.send(endpoint.url, { id, body: toTestBody(id) }, sign, { timeoutMs })
  return attempt
}

export const listDeliveries: EventsHandlers['listDeliveries'] = async ({ limit, ...filter }, { knex }) => {
  const [endpoint] = await selectEndpoints(knex, filter)
  if (endpoint === undefined) throw new Fault('entity_not_found')
  const { site, endpoint_id, status, before } = filter
  return { deliveries: await selectDeliveries(knex, { site, endpoint_id, status, before }, limit) }
}

export const listDeliveriesOfUser: EventsHandlers['listDeliveriesOfUser'] = async (
  { site, identifier, limit },
  { reader },
) => ({ deliveries: await selectDeliveriesOfUser(reader, { site, identifier }, limit) })

export const replayDeliveries: EventsHandlers['replayDeliveries'] = async ({ selection, ...key }, deps) => {
  const planned = await transaction(deps.knex, async (trx) => {
    const endpoint = await lockEndpoint(trx, key)
    if (endpoint === undefined) throw new Fault('entity_not_found')
    return planDeliveries(trx, { ...key, ...endpoint }, selection, limits.replayed_events)
  })
  deps.delivery.wake()
  return { planned }
}
