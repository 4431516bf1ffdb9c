import type { Distribution } from '#database'

export const distribution: Distribution = { service: 'events', globalTables: {} }
