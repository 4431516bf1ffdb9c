import { type BusClients, defineBusInterface, pickProcedures } from '#bus'
import { eventsContract, identityContract } from '#contracts'

/** The bus interface of events. */
export const busInterface = defineBusInterface({
  name: 'events',
  serves: eventsContract,
  calls: { identity: pickProcedures(identityContract, 'findEventUsers') },
  subscribes: [],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
