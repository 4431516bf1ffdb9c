import { type BusClients, defineBusInterface, pickProcedures } from '#bus'
import { consoleReports, friendship, identity, profile, providerAuth } from '#contracts'

/** The procedures that the console serves and calls. */
export const busInterface = defineBusInterface({
  name: 'console',
  serves: consoleReports,
  calls: {
    identity: pickProcedures(
      identity,
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
      providerAuth,
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
      profile,
      'deleteProfile',
      'previewMerge',
      'readDeletionProgress',
      'readProfile',
      'readProviderData',
    ),
    friendship: pickProcedures(friendship, 'readStatus'),
  },
  subscribes: [],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
