import type { Distribution } from '#database'

export const friendshipDistribution: Distribution = {
  service: 'friendship',
  globalTables: {
    event_relay: 'Its row says which replica sends the events of all sites.',
  },
}
