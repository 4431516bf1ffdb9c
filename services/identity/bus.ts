import { type BusClients, defineBusInterface, pickProcedures } from '#bus'
import { friendshipContract, identityContract, profileContract, providerAuthContract } from '#contracts'

/** The bus interface of identity. */
export const busInterface = defineBusInterface({
  name: 'identity',
  serves: identityContract,
  calls: {
    profile: pickProcedures(profileContract, 'deleteLinks', 'mergeUsers', 'changeExcludedFields'),
    provider_auth: pickProcedures(providerAuthContract, 'deleteLinks', 'prepareCallbackRules'),
    friendship: pickProcedures(friendshipContract, 'deleteLinks'),
  },
  subscribes: [],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
