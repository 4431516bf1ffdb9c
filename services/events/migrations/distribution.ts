import type { Distribution } from '#database'

export const eventsDistribution: Distribution = { service: 'events', globalTables: {} }
