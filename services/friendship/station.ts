import { asking, type Clients, station } from '#bus'
import { friendship, providerAuth } from '#contracts'

/** What friendship answers and asks on the bus, and no more. */
export const place = station({
  name: 'friendship',
  fulfils: friendship,
  asks: { provider_auth: asking(providerAuth, 'askFriendStatus') },
  hears: [],
})

export type Asked = Clients<typeof place.asks>
