import { type SiteDataTable, siteCopyTables } from '#database'

const user = { table: 'users', column: 'identifier' }

/** Tables with rows of sites. Jobs have their site in the payload. */
export const identityTables: readonly SiteDataTable[] = [
  ...siteCopyTables,
  // Its foreign keys reject rows of a deleted site.
  {
    table: 'sites',
    key: [],
    deletion: 'separate',
    move: {
      own: {
        account: 'default',
        site_id: 'default',
        revision: 'default',
        closed_at: 'default',
        serving: 'default',
        moved_to: 'default',
        serving_order: 'default',
      },
    },
  },
  // Names that are never used again.
  { table: 'closed_sites', key: [], deletion: 'kept' },
  { table: 'site_deletions', key: ['table_name'], deletion: 'kept' },
  { table: 'erasures', key: ['identifier', 'deleted_at'], move: { expired: { when: 'always' } } },
  { table: 'erasure_parts', key: ['identifier', 'deleted_at', 'service'], move: { expired: { when: 'always' } } },
  { table: 'inactivity_rules', key: [], move: {} },
  { table: 'metadata_searches', key: [], move: {} },
  { table: 'metadata_schemas', key: [], move: {} },
  { table: 'api_keys', key: ['api_key_id'], move: {} },
  { table: 'pending_events', key: ['id'], move: { isQueue: true, expired: { when: 'always' } } },
  { table: 'commands', key: ['command'], move: { expired: { when: 'past', column: 'expires_at' } } },
  // Triggers of users change the counts.
  { table: 'user_counts', key: ['registration_shift', 'login_shift', 'registration', 'login'] },
  { table: 'user_count_deltas' },
  {
    table: 'users',
    key: ['identifier'],
    move: { unique: { columns: ['primary_key'], release: { primary_key: 'null', mapped_at: 'null' } } },
  },
  { table: 'user_metadata', key: ['identifier'], deletion: 'cascades', move: { refers: user } },
  { table: 'consents', key: ['identifier', 'document'], deletion: 'cascades', move: { refers: user } },
  { table: 'metadata_values', key: ['identifier', 'path', 'value'], move: { refers: user } },
  { table: 'user_deletions', key: ['identifier'], move: { refers: user } },
  {
    table: 'stored_responses',
    key: ['idempotency_key'],
    move: {
      refers: user,
      unique: { columns: ['command'], release: 'delete' },
      expired: { when: 'past', column: 'expires_at' },
    },
  },
  {
    table: 'links',
    key: ['provider', 'provider_user_id'],
    move: { refers: user, unique: { columns: ['identifier', 'provider'], release: 'delete' } },
  },
  { table: 'login_history', key: ['login'], move: { refers: user, expired: { when: 'always' } } },
]
