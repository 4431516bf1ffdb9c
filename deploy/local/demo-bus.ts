import { defineBusInterface, pickProcedures } from '#bus'
import { identity, providerAuth } from '#contracts'

/** The calls that creating the demo makes on the bus. */
export const demoBusInterface = defineBusInterface({
  name: 'demo',
  calls: {
    identity: pickProcedures(identity, 'registerSite', 'issueApiKey'),
    provider_auth: pickProcedures(providerAuth, 'registerClient', 'saveProviderSettings'),
  },
  subscribes: [],
})
