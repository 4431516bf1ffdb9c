import { asking, type Clients, station } from '#bus'
import { friendship, identity, profile, providerAuth } from '#contracts'

/** What identity answers, tells and asks on the bus, and no more. */
export const place = station({
  name: 'identity',
  fulfils: identity,
  asks: {
    profile: asking(profile, 'deleteLinks', 'mergeUsers', 'changeNotStored'),
    provider_auth: asking(providerAuth, 'deleteLinks', 'prepareCallbackRules'),
    friendship: asking(friendship, 'deleteLinks'),
  },
  hears: [],
})

export type Asked = Clients<typeof place.asks>
