import { type Distribution, siteCopyGlobalTables } from '#database'

export const profileDistribution: Distribution = {
  service: 'profile',
  globalTables: {
    ...siteCopyGlobalTables,
    jobs: 'Workers take the jobs of all sites in the order of their times.',
    event_relay: 'Its row says which replica sends the events of all sites.',
  },
}
