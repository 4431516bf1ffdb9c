import { createSiteCopyHandlers } from '#database'
import type { Deps } from '../deps.ts'
import { friendshipTables } from '../site-tables.ts'

export const siteCopyHandlers = createSiteCopyHandlers<Deps>(({ knex }) => ({
  knex,
  service: 'friendship',
  tables: friendshipTables,
  queues: ['pending_events'],
}))
