import { type BusClients, defineBusInterface, pickProcedures } from '#bus'
import { friendship, identity, profile, providerAuth } from '#contracts'

/** The bus interface of identity. */
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
