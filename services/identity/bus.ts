import { type BusClients, defineBusInterface, pickNotices, pickProcedures } from '#bus'
import {
  consoleContract,
  eventsContract,
  friendshipContract,
  identityContract,
  profileContract,
  providerAuthContract,
} from '#contracts'

/** The bus interface of identity. */
export const busInterface = defineBusInterface({
  name: 'identity',
  serves: identityContract,
  calls: {
    profile: pickProcedures(
      profileContract,
      'prepareErasure',
      'deleteLinks',
      'mergeUsers',
      'changeExcludedFields',
      'changeEventSettings',
    ),
    provider_auth: pickProcedures(
      providerAuthContract,
      'prepareErasure',
      'deleteLinks',
      'prepareCallbackRules',
      'signErasureReceipt',
    ),
    friendship: pickProcedures(friendshipContract, 'prepareErasure', 'deleteLinks'),
    events: pickProcedures(eventsContract, 'record', 'readEventErasure'),
    console: pickProcedures(consoleContract, 'recordEndUserAction'),
  },
  subscribes: [
    pickNotices(identityContract, 'available'),
    pickNotices(profileContract, 'available'),
    pickNotices(providerAuthContract, 'available'),
    pickNotices(friendshipContract, 'available'),
    pickNotices(consoleContract, 'available'),
  ],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
