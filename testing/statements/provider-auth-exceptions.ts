import type { StatementException } from './exceptions.ts'

const reason = 'Does not name the site yet.'

/** Statements of provider-auth that will name the site. Remove each of them with its change. */
export const providerAuthExceptions: readonly StatementException[] = [
  'delete from "association_tokens" where "token_hash"',
  'delete from "authorization_codes" where "link_id"',
  'delete from "credentials" where "link_id"',
  'delete from "one_time_tokens" where "link_id"',
  'select client_id, site, name, kind, pkce, id_token_alg, response_types, post_logout_redirect_uris',
  'select consumed_at is null and expires_at > now() as redeemable',
  'select link_id, site, provider, provider_user_id, access_token',
  'select site, account, site_id, provider, login_provider_identifier',
  'update "association_tokens" set "browser"',
  'update "credentials" set "access_token"',
  'update "credentials" set "refresh_locked_until"',
  'with consumed as ( update authorization_codes',
].map((statement) => ({ service: 'provider-auth', statement, reason }))

/** Tables of provider-auth without a site, and keys and references without it. Remove each of them with its change. */
export const providerAuthConstraints: readonly string[] = [
  ...['access_tokens', 'client_secrets', 'data_deletions', 'redirect_uris', 'settings_revision'].map(
    (table) => `table ${table}`,
  ),
  'association_tokens_one_each',
  'authorization_codes_client',
  'authorization_codes_pk',
  'clients_pk',
  'credentials_pk',
  'login_provider_identifiers_unique',
  'one_time_tokens_pk',
  'provider_settings_pk',
].map((name) => `provider-auth: ${name}`)
