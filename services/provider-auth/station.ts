import { asking, type Clients, station } from '#bus'
import { consoleReports, friendship, identity, profile, providerAuth } from '#contracts'

/** What provider-auth answers and asks on the bus, and no more. */
export const place = station({
  name: 'provider-auth',
  fulfils: providerAuth,
  asks: {
    identity: asking(
      identity,
      'resolveUser',
      'findAccountHolder',
      'linkAccount',
      'readSite',
      'readCallbackRules',
      'recordLogin',
      'unlinkProviders',
    ),
    profile: asking(profile, 'readProfile', 'recordProviderData', 'deleteProviderData'),
    friendship: asking(friendship, 'recordStatus'),
    console: asking(consoleReports, 'reportLogins', 'reportRejections'),
  },
  hears: [],
})

export type Asked = Clients<typeof place.asks>
