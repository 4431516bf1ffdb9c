import type { Migration } from '#database'
import * as clients_and_provider_settings from './0001-clients-and-provider-settings.ts'
import * as credentials_and_forgotten_users from './0002-credentials-and-forgotten-users.ts'
import * as codes_and_access_tokens from './0003-codes-and-access-tokens.ts'
import * as signing_keys from './0004-signing-keys.ts'
import * as association_and_one_time_tokens from './0005-association-and-one-time-tokens.ts'
import * as provider_options from './0006-provider-options.ts'
import * as freshness_of_credentials from './0008-freshness-of-credentials.ts'
import * as leaving_and_notices from './0009-leaving-and-notices.ts'
import * as clients_and_settings_by_revision from './0012-clients-and-settings-by-revision.ts'
import * as prepared_callback_rules from './0013-prepared-callback-rules.ts'
import * as logout_addresses from './0014-logout-addresses.ts'

export const migrations: readonly Migration[] = [
  { name: '0001-clients-and-provider-settings', up: clients_and_provider_settings.up },
  { name: '0002-credentials-and-forgotten-users', up: credentials_and_forgotten_users.up },
  { name: '0003-codes-and-access-tokens', up: codes_and_access_tokens.up },
  { name: '0004-signing-keys', up: signing_keys.up },
  { name: '0005-association-and-one-time-tokens', up: association_and_one_time_tokens.up },
  { name: '0006-provider-options', up: provider_options.up },
  { name: '0008-freshness-of-credentials', up: freshness_of_credentials.up },
  { name: '0009-leaving-and-notices', up: leaving_and_notices.up },
  { name: '0012-clients-and-settings-by-revision', up: clients_and_settings_by_revision.up },
  { name: '0013-prepared-callback-rules', up: prepared_callback_rules.up },
  { name: '0014-logout-addresses', up: logout_addresses.up },
]
