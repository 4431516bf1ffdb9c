import { type BusClients, defineBusInterface, pickProcedures } from '#bus'
import { friendship, providerAuth } from '#contracts'

/** What friendship answers and asks on the bus, and no more. */
export const busInterface = defineBusInterface({
  name: 'friendship',
  serves: friendship,
  calls: { provider_auth: pickProcedures(providerAuth, 'fetchFriendshipStatus') },
  subscribes: [],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
