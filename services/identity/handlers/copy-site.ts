import { createSiteCopyHandlers } from '#database'
import type { Deps } from '../deps.ts'
import { identityTables } from '../site-tables.ts'

export const siteCopyHandlers = createSiteCopyHandlers<Deps>(({ knex }) => ({
  knex,
  service: 'identity',
  tables: identityTables,
  queues: ['jobs', 'pending_events'],
  uniqueInCell: ['api_keys_key_hash_unique', 'api_keys_pk'],
}))
