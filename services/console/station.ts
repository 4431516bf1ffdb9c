import { asking, type Clients, station } from '#bus'
import { consoleReports, friendship, identity, profile, providerAuth } from '#contracts'

/** What the console answers and asks on the bus, and no more. */
export const place = station({
  name: 'console',
  fulfils: consoleReports,
  asks: {
    identity: asking(
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
    provider_auth: asking(
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
    profile: asking(profile, 'deleteProfile', 'previewMerge', 'readClearing', 'readProfile', 'readProviderData'),
    friendship: asking(friendship, 'readStatus'),
  },
  hears: [],
})

export type Asked = Clients<typeof place.asks>
