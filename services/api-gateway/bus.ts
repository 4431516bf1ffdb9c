import { type BusClients, defineBusInterface, pickNotices, pickProcedures } from '#bus'
import {
  apiGatewayContract,
  consoleContract,
  eventsContract,
  friendshipContract,
  identityContract,
  profileContract,
  providerAuthContract,
} from '#contracts'

/** The bus interface of the gateway. */
export const busInterface = defineBusInterface({
  name: 'api-gateway',
  serves: apiGatewayContract,
  calls: {
    identity: pickProcedures(
      identityContract,
      'listSites',
      'createUser',
      'resolveUser',
      'listUsers',
      'mapPrimaryKey',
      'unmapPrimaryKey',
      'blockUser',
      'unblockUser',
      'readMetadata',
      'changeMetadata',
      'readConsents',
      'recordConsents',
      'deleteUser',
      'unlinkProviders',
      'mergeUsers',
      'claimRequest',
      'storeResponse',
    ),
    profile: pickProcedures(
      profileContract,
      'readProfile',
      'readProhibition',
      'readProviderData',
      'grantProfile',
      'deleteProfile',
      'readCommand',
      'findUsers',
    ),
    providerAuth: pickProcedures(
      providerAuthContract,
      'listApiHosts',
      'listConfiguredProviders',
      'listProviders',
      'readCredentials',
      'issueAssociationToken',
      'redeemOneTimeToken',
    ),
    friendship: pickProcedures(friendshipContract, 'readStatus', 'refreshStatus'),
    events: pickProcedures(eventsContract, 'listEvents', 'readPosition'),
    console: pickProcedures(consoleContract, 'reportCalls'),
  },
  subscribes: [
    pickNotices(identityContract, 'sitesChanged'),
    pickNotices(providerAuthContract, 'settingsChanged'),
    pickNotices(eventsContract, 'recorded'),
    pickNotices(apiGatewayContract, 'gatewayHeartbeat', 'rateLimitWindows'),
  ],
})

export type ServiceClients = BusClients<typeof busInterface.calls>
