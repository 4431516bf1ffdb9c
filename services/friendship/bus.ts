import { type BusClients, defineBusInterface, pickProcedures } from '#bus'
import { eventsContract, friendshipContract, providerAuthContract } from '#contracts'

/** The bus interface of friendship. */
export const busInterface = defineBusInterface({
  name: 'friendship',
  serves: friendshipContract,
  calls: {
    provider_auth: pickProcedures(providerAuthContract, 'fetchFriendshipStatus'),
    events: pickProcedures(eventsContract, 'record'),
  },
  subscribes: [],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
