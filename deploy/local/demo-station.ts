import { defineBusInterface, pickProcedures } from '#bus'
import { identity, providerAuth } from '#contracts'

/** What making the demo asks on the bus. */
export const demoStation = defineBusInterface({
  name: 'demo',
  calls: {
    identity: pickProcedures(identity, 'registerSite', 'issueApiKey'),
    provider_auth: pickProcedures(providerAuth, 'registerClient', 'saveProviderSettings'),
  },
  subscribes: [],
})
