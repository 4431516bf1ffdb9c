import { type BusClients, defineBusInterface, pickProcedures } from '#bus'
import { friendship, providerAuth } from '#contracts'

/** The bus interface of friendship. */
export const busInterface = defineBusInterface({
  name: 'friendship',
  serves: friendship,
  calls: { provider_auth: pickProcedures(providerAuth, 'fetchFriendshipStatus') },
  subscribes: [],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
