import { type BusClients, defineBusInterface, pickProcedures } from '#bus'
import { friendship, identity, profile, providerAuth } from '#contracts'

/** What identity answers, tells and asks on the bus, and no more. */
export const busInterface = defineBusInterface({
  name: 'identity',
  serves: identity,
  calls: {
    profile: pickProcedures(profile, 'deleteLinks', 'mergeUsers', 'changeExcludedFields'),
    provider_auth: pickProcedures(providerAuth, 'deleteLinks', 'prepareCallbackRules'),
    friendship: pickProcedures(friendship, 'deleteLinks'),
  },
  subscribes: [],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
