import { type Distribution, siteCopyGlobalTables } from '#database'

export const eventsDistribution: Distribution = { service: 'events', globalTables: { ...siteCopyGlobalTables } }
