import { type BusClients, defineBusInterface, pickNotices, pickProcedures } from '#bus'
import { eventsContract, friendshipContract, identityContract, profileContract, providerAuthContract } from '#contracts'

/** The bus interface of identity. */
export const busInterface = defineBusInterface({
  name: 'identity',
  serves: identityContract,
  calls: {
    profile: pickProcedures(
      profileContract,
      'deleteLinks',
      'mergeUsers',
      'changeExcludedFields',
      'changeEventSettings',
    ),
    provider_auth: pickProcedures(providerAuthContract, 'deleteLinks', 'prepareCallbackRules'),
    friendship: pickProcedures(friendshipContract, 'deleteLinks'),
    events: pickProcedures(eventsContract, 'record'),
  },
  subscribes: [
    pickNotices(identityContract, 'available'),
    pickNotices(profileContract, 'available'),
    pickNotices(providerAuthContract, 'available'),
    pickNotices(friendshipContract, 'available'),
  ],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
