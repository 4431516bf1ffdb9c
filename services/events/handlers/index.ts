import type { EventsHandlers } from '../deps.ts'
import { siteCopyHandlers } from './copy-site.ts'
import { deleteSite } from './delete-site.ts'
import { listUserHistory } from './list-user-history.ts'
import { readEventErasure } from './read-event-erasure.ts'
import { record } from './record.ts'
import { listEventObjects, listEvents, readPosition } from './stream.ts'
import { listDeliveries, listDeliveriesOfUser, replayDeliveries, testEndpoint } from './webhook-deliveries.ts'
import {
  changeEndpoint,
  createEndpoint,
  listEndpoints,
  readEndpoint,
  removeEndpoint,
  rollEndpointSecret,
} from './webhook-endpoints.ts'

export const handlers: EventsHandlers = {
  record,
  listEvents,
  listEventObjects,
  listUserHistory,
  readPosition,
  readEventErasure,
  listEndpoints,
  readEndpoint,
  createEndpoint,
  changeEndpoint,
  removeEndpoint,
  rollEndpointSecret,
  testEndpoint,
  listDeliveries,
  listDeliveriesOfUser,
  replayDeliveries,
  deleteSite,
  ...siteCopyHandlers,
}
