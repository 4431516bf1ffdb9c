import { type SiteDataTable, siteCopyTables } from '#database'

/** Tables with rows of sites. */
export const friendshipTables: readonly SiteDataTable[] = [
  ...siteCopyTables,
  { table: 'site_deletions', key: ['table_name'], deletion: 'kept' },
  { table: 'pending_events', key: ['id'], move: { isQueue: true, expired: { when: 'always' } } },
  { table: 'deleted_link_data', key: ['link_id'], move: {} },
  { table: 'statuses', key: ['link_id'], move: {} },
]
