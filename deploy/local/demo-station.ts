import { asking, station } from '#bus'
import { identity, providerAuth } from '#contracts'

/** What making the demo asks on the bus. */
export const demoStation = station({
  name: 'demo',
  asks: {
    identity: asking(identity, 'registerSite', 'issueApiKey'),
    provider_auth: asking(providerAuth, 'registerClient', 'saveProviderSettings'),
  },
  hears: [],
})
