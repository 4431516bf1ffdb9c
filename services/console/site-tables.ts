import type { SiteDataTable } from '#database'

const imported = { table: 'imports', column: 'import_id' }

/** Tables with rows of sites. Others name the account and the site_id. */
export const consoleTables: readonly SiteDataTable[] = [
  { table: 'site_deletions', key: ['table_name'], deletion: 'kept' },
  { table: 'site_deletion_requests', key: ['request_id'], deletion: 'kept' },
  { table: 'site_moves', key: ['move_id'], deletion: 'kept' },
  { table: 'usage_logins', key: ['span', 'at', 'provider', 'step'] },
  { table: 'usage_keys', key: ['api_key_id'] },
  { table: 'key_networks', key: ['api_key_id', 'network'], parent: { table: 'usage_keys', column: 'api_key_id' } },
  { table: 'usage_callers', key: ['span', 'at', 'api_key_id', 'address'] },
  { table: 'usage_responses', key: ['span', 'at', 'operation', 'code'] },
  { table: 'usage_calls', key: ['span', 'at'] },
  { table: 'rejections', key: ['request_id'] },
  { table: 'requests', key: ['request_id'] },
  { table: 'login_logs', key: [] },
  { table: 'logins', key: ['login_id'] },
  { table: 'bulk_changes', key: ['change_id'] },
  {
    table: 'bulk_change_failures',
    key: ['change_id', 'number'],
    parent: { table: 'bulk_changes', column: 'change_id' },
  },
  { table: 'imports', key: ['import_id'] },
  { table: 'import_batches', key: ['import_id', 'number'], parent: imported },
  { table: 'import_rejections', key: ['import_id', 'line'], parent: imported },
  { table: 'exports', key: ['export_id'] },
  // Parts of files are large.
  { table: 'export_parts', key: ['export_id', 'number'], parent: { table: 'exports', column: 'export_id' }, batch: 20 },
]
