import { type SiteDataTable, siteCopyTables } from '#database'

/** Tables with rows of sites. Jobs have their site in the payload. */
export const profileTables: readonly SiteDataTable[] = [
  ...siteCopyTables,
  { table: 'site_deletions', key: ['table_name'], deletion: 'kept' },
  { table: 'pending_events', key: ['id'], move: { isQueue: true, expired: { when: 'always' } } },
  { table: 'commands', key: ['command'], move: { expired: { when: 'past', column: 'expires_at' } } },
  { table: 'user_search_terms', key: ['term', 'identifier'], move: {} },
  { table: 'user_search_keys', key: ['version'], move: {} },
  { table: 'user_search', key: [], move: {} },
  { table: 'event_settings', key: [], move: {} },
  { table: 'excluded_fields', key: [], move: {} },
  { table: 'deleted_link_data', key: ['link_id'], move: {} },
  { table: 'personal_keys', key: ['subject'] },
  { table: 'profiles', key: ['identifier'], move: {} },
  { table: 'links', key: ['link_id'], move: {} },
  { table: 'provider_profiles', key: ['link_id'], move: { refers: { table: 'links', column: 'link_id' } } },
]
