import { type SiteDataTable, siteCopyTables } from '#database'

const client = { table: 'clients', column: 'client_id' }

/** Tables with rows of sites. Jobs have their site in the payload. */
export const providerAuthTables: readonly SiteDataTable[] = [
  ...siteCopyTables,
  { table: 'site_deletions', key: ['table_name'], deletion: 'kept' },
  // Released hosts: their requests are rejected until another site proves the host.
  { table: 'site_hosts', key: ['host'], deletion: 'kept', move: { own: { revision: '0' } } },
  { table: 'pending_events', key: ['id'], move: { isQueue: true, expired: { when: 'always' } } },
  { table: 'clients', key: ['client_id'], move: {} },
  { table: 'client_secrets', key: ['client_id', 'secret_hash'], parent: client, deletion: 'cascades', move: {} },
  { table: 'redirect_uris', key: ['client_id', 'redirect_uri'], parent: client, deletion: 'cascades', move: {} },
  { table: 'host_uses', key: ['client_id', 'host'], move: {} },
  { table: 'shared_hosts', key: [], move: { own: { revision: '0' } } },
  { table: 'site_terms', key: [], move: {} },
  { table: 'account_pages', key: [], move: {} },
  { table: 'site_pictures', key: ['picture_id'], batch: 1, move: {} },
  { table: 'site_look_versions', key: ['version'], batch: 5, move: {} },
  { table: 'site_looks', key: [], move: {} },
  { table: 'login_provider_identifiers', key: ['provider'], move: {} },
  { table: 'provider_settings', key: ['provider'], move: {} },
  { table: 'prepared_callback_rules' },
  { table: 'data_deletions', key: ['confirmation_code'], move: { expired: { when: 'always' } } },
  { table: 'deleted_link_data', key: ['link_id'], move: {} },
  { table: 'credentials', key: ['link_id'], move: {} },
  { table: 'data_recipients', key: ['link_id', 'client_id', 'received'], move: {} },
  // Tokens are deleted first, so that the deletion of a client has few rows to follow.
  { table: 'used_id_tokens', key: ['token_hash'], move: { expired: { when: 'past', column: 'expires_at' } } },
  {
    table: 'association_tokens',
    key: ['identifier'],
    move: { unique: { columns: ['token_hash'], release: 'delete' }, expired: { when: 'past', column: 'expires_at' } },
  },
  { table: 'one_time_tokens', key: ['token_hash'], move: { expired: { when: 'past', column: 'expires_at' } } },
  { table: 'authorization_codes', key: ['code_hash'], move: { refers: client, expired: { when: 'always' } } },
  {
    table: 'access_tokens',
    key: ['token_hash'],
    move: {
      refers: { table: 'authorization_codes', column: 'code_hash' },
      expired: { when: 'past', column: 'expires_at' },
    },
  },
]
