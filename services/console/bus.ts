import { type BusClients, defineBusInterface, pickProcedures } from '#bus'
import {
  consoleContract,
  friendshipContract,
  identityContract,
  profileContract,
  providerAuthContract,
} from '#contracts'

/** The procedures that the console serves and calls. */
export const busInterface = defineBusInterface({
  name: 'console',
  serves: consoleContract,
  calls: {
    identity: pickProcedures(
      identityContract,
      'changeAccount',
      'changeSite',
      'createAccount',
      'createSite',
      'deleteUser',
      'findUsers',
      'issueApiKey',
      'listAccounts',
      'listApiKeys',
      'listLogins',
      'listSitesOfAccount',
      'listUsers',
      'mergeUsers',
      'previewMerge',
      'readSite',
      'readUsers',
      'resolveUser',
      'revokeApiKey',
      'unlinkProviders',
    ),
    provider_auth: pickProcedures(
      providerAuthContract,
      'beginTestLogin',
      'changeClient',
      'changeProviderSettings',
      'issueClientSecret',
      'listClients',
      'listProviderSettings',
      'readClient',
      'readCredentialFreshness',
      'readProviderSettings',
      'readTestLogin',
      'registerClient',
      'removeClient',
      'revokeClientSecret',
    ),
    profile: pickProcedures(
      profileContract,
      'deleteProfile',
      'previewMerge',
      'readDeletionProgress',
      'readProfile',
      'readProviderData',
    ),
    friendship: pickProcedures(friendshipContract, 'readStatus'),
  },
  subscribes: [],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
