import {
  builtInLoginProviders,
  isBuiltIn,
  type LoginProvider,
  type ProviderOptions,
  type ProviderSettings,
} from '#contracts'
import { DecryptionError, toTimestampOrNull } from '#runtime'
import type { Deps } from './deps.ts'
import { listMissingSettings, maskSecretOptions } from './domain/settings-validation.ts'
import { hasClient } from './store/clients.ts'
import { decryptOptions } from './store/provider-settings.ts'
import { getOrCreateIdentifier, listSettingsRows, type SettingsRow } from './store/settings-revisions.ts'
import { buildAuthorizeUri, buildLogoutReturnUri, buildProviderCallbackUri, buildWebhookUris } from './uris.ts'

/** Builds the responses for a site's settings of a provider, or of all: the built-in ones, and those that it configured. */
export async function listSettingsResponses(
  site: number,
  only: LoginProvider | undefined,
  deps: Deps,
): Promise<ProviderSettings[]> {
  const [rows, hasCallback] = await Promise.all([listSettingsRows(deps.knex, site), hasClient(deps.knex, site)])
  const issuers = deps.hosts.issuersOf({ account: '', site_id: '', ...rows[0], site })
  const configured = rows.flatMap(({ provider }) => (isBuiltIn(provider) ? [] : [provider]))
  const providers = only === undefined ? [...builtInLoginProviders, ...configured.sort()] : [only]
  return Promise.all(
    providers.map(async (provider) => {
      const row = rows.find((one) => one.provider === provider)
      const identifier = row?.login_provider_identifier ?? (await getOrCreateIdentifier(deps.knex, { site, provider }))
      return buildResponse({ provider, row, identifier, hasCallback, issuers }, deps)
    }),
  )
}

interface SettingsParts {
  readonly provider: LoginProvider
  readonly row: SettingsRow | undefined
  readonly identifier: string
  readonly hasCallback: boolean
  /** Of the site; addresses are shown with the first. */
  readonly issuers: readonly [string, ...string[]]
}

async function buildResponse(
  { provider, row, identifier, hasCallback, issuers: [authUrl, ...others] }: SettingsParts,
  deps: Deps,
): Promise<ProviderSettings> {
  const key = { provider, login_provider_identifier: identifier }
  const base = { names: deps.names, auth_url: authUrl }
  const options = row && (await decryptOptionsOrNull(row, deps))
  const enabled = row?.enabled ?? true
  const missing = listMissingSettings({ provider, options, enabled, hasCallback })
  return {
    provider,
    definition: row?.definition ?? null,
    endpoints: row?.endpoints ?? null,
    login_provider_identifier: row === undefined ? null : identifier,
    client_id: row?.client_id ?? '',
    has_client_secret: row !== undefined,
    options: maskSecretOptions(provider, options ?? {}),
    official_account: row?.official_account ?? false,
    enabled,
    client_secret_expires_at: toTimestampOrNull(row?.client_secret_expires_at ?? null),
    missing,
    provider_callback: buildProviderCallbackUri(base, key),
    other_callbacks: others.map((issuer) => buildProviderCallbackUri({ ...base, auth_url: issuer }, key)),
    logout_return_uri: endsSession(row?.definition) ? buildLogoutReturnUri(base) : null,
    webhook_uris: buildWebhookUris(base, key),
    authorize_uri: missing.length === 0 ? buildAuthorizeUri(base, key) : null,
    revision: row?.revision ?? 0,
  }
}

function endsSession(definition: ProviderSettings['definition'] | undefined): boolean {
  return definition?.protocol.type === 'oidc' && definition.protocol.ends_session
}

/** Null if the options cannot be decrypted, so that the other fields are still returned. */
async function decryptOptionsOrNull(row: SettingsRow, { encryptor }: Deps): Promise<ProviderOptions | null> {
  try {
    return await decryptOptions(encryptor, row)
  } catch (error) {
    if (error instanceof DecryptionError) return null
    throw error
  }
}
