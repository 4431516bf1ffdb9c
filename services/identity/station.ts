import { asking, type Clients, station } from '#bus'
import { friendship, identity, profile, providerAuth } from '#contracts'

/** What identity answers, tells and asks on the bus, and no more. */
export const place = station({
  name: 'identity',
  fulfils: identity,
  asks: {
    profile: asking(profile, 'forgetUser', 'removeProviders', 'mergeUsers', 'changeNotStored'),
    provider_auth: asking(providerAuth, 'forgetUser', 'removeProviders', 'mergeUsers', 'prepareCallbackRules'),
    friendship: asking(friendship, 'forgetUser', 'removeStatus', 'mergeUsers'),
  },
  hears: [],
})

export type Asked = Clients<typeof place.asks>
