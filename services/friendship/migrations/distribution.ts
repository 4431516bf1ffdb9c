import { type Distribution, siteCopyGlobalTables } from '#database'

export const friendshipDistribution: Distribution = {
  service: 'friendship',
  globalTables: {
    ...siteCopyGlobalTables,
    event_relay: 'Its row says which replica sends the events of all sites.',
  },
}
