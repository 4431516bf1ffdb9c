import { type BusClients, defineBusInterface, pickNotices, pickProcedures } from '#bus'
import { apiGateway, consoleReports, friendship, identity, profile, providerAuth } from '#contracts'

/** The bus interface of the gateway. */
export const busInterface = defineBusInterface({
  name: 'api-gateway',
  serves: apiGateway,
  calls: {
    identity: pickProcedures(
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
      'claimRequest',
      'storeResponse',
    ),
    profile: pickProcedures(
      profile,
      'readProfile',
      'readProhibition',
      'readProviderData',
      'grantProfile',
      'deleteProfile',
    ),
    providerAuth: pickProcedures(
      providerAuth,
      'listProviders',
      'readCredentials',
      'issueAssociationToken',
      'redeemOneTimeToken',
    ),
    friendship: pickProcedures(friendship, 'readStatus', 'refreshStatus'),
    console: pickProcedures(consoleReports, 'reportCalls'),
  },
  subscribes: [pickNotices(identity, 'sitesChanged'), pickNotices(apiGateway, 'gatewayHeartbeat', 'rateLimitWindows')],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
