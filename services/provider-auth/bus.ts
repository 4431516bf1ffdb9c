import { type BusClients, defineBusInterface, pickNotices, pickProcedures } from '#bus'
import {
  consoleContract,
  eventsContract,
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
      'blockUser',
      'cancelUserDeletion',
      'changeUserMetadata',
      'endUserSessions',
      'findAccountHolder',
      'importUsers',
      'isProviderLinked',
      'linkAccount',
      'listLogins',
      'readSite',
      'readCallbackRules',
      'readCompatibility',
      'readMetadata',
      'readUserDeletion',
      'readConsents',
      'readConsentsOfUsers',
      'recordConsents',
      'recordLogin',
      'requestUserDeletion',
      'unblockUser',
      'unlinkProviders',
    ),
    profile: pickProcedures(
      profileContract,
      'readProfile',
      'readStoredProfiles',
      'recordProviderData',
      'deleteProviderData',
      'importProfiles',
    ),
    friendship: pickProcedures(friendshipContract, 'recordStatus', 'importStatuses', 'readStatuses'),
    events: pickProcedures(eventsContract, 'listUserHistory', 'record'),
    console: pickProcedures(
      consoleContract,
      'recordEndUserAction',
      'reportLoginRecords',
      'reportLogins',
      'reportRejections',
    ),
  },
  subscribes: [
    pickNotices(providerAuthContract, 'available', 'settingsChanged'),
    pickNotices(identityContract, 'available'),
    pickNotices(profileContract, 'available'),
    pickNotices(friendshipContract, 'available'),
    pickNotices(consoleContract, 'available'),
  ],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
