import { type BusClients, defineBusInterface, pickProcedures } from '#bus'
import { consoleReports, friendship, identity, profile, providerAuth } from '#contracts'

/** The procedures that provider-auth serves and calls on the bus. */
export const busInterface = defineBusInterface({
  name: 'provider-auth',
  serves: providerAuth,
  calls: {
    identity: pickProcedures(
      identity,
      'resolveUser',
      'findAccountHolder',
      'linkAccount',
      'readSite',
      'readCallbackRules',
      'recordLogin',
      'unlinkProviders',
    ),
    profile: pickProcedures(profile, 'readProfile', 'recordProviderData', 'deleteProviderData'),
    friendship: pickProcedures(friendship, 'recordStatus'),
    console: pickProcedures(consoleReports, 'reportLogins', 'reportRejections'),
  },
  subscribes: [],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
