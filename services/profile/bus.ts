import { defineBusInterface, pickProcedures } from '#bus'
import { eventsContract, profileContract } from '#contracts'

/** The bus interface of profile. */
export const busInterface = defineBusInterface({
  name: 'profile',
  serves: profileContract,
  calls: { events: pickProcedures(eventsContract, 'record') },
  subscribes: [],
})
