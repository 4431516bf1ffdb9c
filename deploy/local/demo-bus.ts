import { defineBusInterface, pickProcedures } from '#bus'
import { identityContract, providerAuthContract } from '#contracts'

/** The calls that creating the demo makes on the bus. */
export const demoBusInterface = defineBusInterface({
  name: 'demo',
  calls: {
    identity: pickProcedures(identityContract, 'registerSite', 'issueApiKey'),
    provider_auth: pickProcedures(
      providerAuthContract,
      'registerClient',
      'saveProviderSettings',
      'readProviderSettings',
    ),
  },
  subscribes: [],
})
