import { type BusClients, defineBusInterface, pickProcedures } from '#bus'
import {
  consoleContract,
  friendshipContract,
  identityContract,
  profileContract,
  providerAuthContract,
} from '#contracts'

/** The procedures that provider-auth serves and calls on the bus. */
export const busInterface = defineBusInterface({
  name: 'provider-auth',
  serves: providerAuthContract,
  calls: {
    identity: pickProcedures(
      identityContract,
      'resolveUser',
      'findAccountHolder',
      'linkAccount',
      'readSite',
      'readCallbackRules',
      'recordLogin',
      'unlinkProviders',
    ),
    profile: pickProcedures(profileContract, 'readProfile', 'recordProviderData', 'deleteProviderData'),
    friendship: pickProcedures(friendshipContract, 'recordStatus'),
    console: pickProcedures(consoleContract, 'reportLogins', 'reportRejections'),
  },
  subscribes: [],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
