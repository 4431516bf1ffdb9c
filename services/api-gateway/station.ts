import { asking, type Clients, hearing, station } from '#bus'
import { apiGateway, consoleReports, friendship, identity, profile, providerAuth } from '#contracts'

/** What the gateway asks, tells and hears on the bus, and no more. */
export const place = station({
  name: 'api-gateway',
  fulfils: apiGateway,
  asks: {
    identity: asking(
      identity,
      'listSites',
      'createUser',
      'resolveUser',
      'listUsers',
      'mapPrimaryKey',
      'unmapPrimaryKey',
      'deleteUser',
      'unlinkProviders',
      'mergeUsers',
      'claimAnswer',
      'keepAnswer',
    ),
    profile: asking(profile, 'readProfile', 'readProhibition', 'readProviderData', 'grantProfile', 'deleteProfile'),
    providerAuth: asking(
      providerAuth,
      'listProviders',
      'readCredentials',
      'issueAssociationToken',
      'redeemOneTimeToken',
    ),
    friendship: asking(friendship, 'readStatus', 'refreshStatus'),
    console: asking(consoleReports, 'reportCalls'),
  },
  hears: [hearing(identity, 'sitesChanged'), hearing(apiGateway, 'gatewayServes', 'sitesCounted')],
})

export type Asked = Clients<typeof place.asks>
