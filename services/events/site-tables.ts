import { type SiteDataTable, siteCopyTables } from '#database'

const endpoint = { table: 'webhook_endpoints', column: 'endpoint_id' }

/** Tables with rows of sites. */
export const eventsTables: readonly SiteDataTable[] = [
  ...siteCopyTables,
  { table: 'site_deletions', key: ['table_name'], deletion: 'kept' },
  { table: 'sites', key: [], move: {} },
  { table: 'users', key: ['identifier'], move: { expired: { when: 'set', column: 'removed_at' } } },
  { table: 'personal_keys', key: ['subject'] },
  { table: 'events', key: ['sequence'], move: { expired: { when: 'always' } } },
  // Deliveries are deleted first, then endpoints: they get nothing more.
  {
    table: 'webhook_endpoints',
    key: ['endpoint_id'],
    move: {
      own: { lease: 'null', leased_until: 'null' },
      unique: { columns: ['name'], release: { name: 'endpoint_id' } },
    },
  },
  { table: 'webhook_secrets', key: ['endpoint_id', 'secret_id'], move: { refers: endpoint } },
  {
    table: 'webhook_deliveries',
    key: ['endpoint_id', 'sequence'],
    move: { refers: endpoint, expired: { when: 'always' } },
  },
]
