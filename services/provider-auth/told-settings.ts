import type { LoginProvider, ProviderOptions, ProviderSettings } from '#contracts'
import { DecryptionError, toTimestampOrNull } from '#runtime'
import { authorizeUri, noticeAddresses, providerCallback } from './addresses.ts'
import type { Deps } from './deps.ts'
import { missingOf, tellableOptions } from './domain/settings-completeness.ts'
import { hasClient } from './store/clients.ts'
import { openOptions } from './store/provider-settings.ts'
import { identifierOf, listSettings, type SettingsRow } from './store/settings-revisions.ts'

/** A site's settings of providers as people are told them, in the order asked. */
export async function toldSettings(
  site: number,
  providers: readonly LoginProvider[],
  deps: Deps,
): Promise<ProviderSettings[]> {
  const [rows, hasCallback] = await Promise.all([listSettings(deps.knex, site), hasClient(deps.knex, site)])
  return Promise.all(
    providers.map(async (provider) => {
      const row = rows.find((one) => one.provider === provider)
      const identifier = row?.login_provider_identifier ?? (await identifierOf(deps.knex, { site, provider }))
      return tell({ provider, row, identifier, hasCallback }, deps)
    }),
  )
}

interface Found {
  readonly provider: LoginProvider
  readonly row: SettingsRow | undefined
  readonly identifier: string
  readonly hasCallback: boolean
}

async function tell({ provider, row, identifier, hasCallback }: Found, deps: Deps): Promise<ProviderSettings> {
  const addressed = { provider, login_provider_identifier: identifier }
  const options = row && (await openable(row, deps))
  const enabled = row?.enabled ?? true
  const missing = missingOf({ provider, options, enabled, hasCallback })
  const addressesForNotices = noticeAddresses(deps, addressed)
  return {
    provider,
    login_provider_identifier: row === undefined ? null : identifier,
    client_id: row?.client_id ?? '',
    has_client_secret: row !== undefined,
    options: tellableOptions(provider, options ?? {}),
    official_account: row?.official_account ?? false,
    enabled,
    client_secret_expires_at: toTimestampOrNull(row?.client_secret_expires_at ?? null),
    missing,
    provider_callback: providerCallback(deps, addressed),
    notice_address: Object.values(addressesForNotices)[0] ?? null,
    notice_addresses: addressesForNotices,
    authorize_uri: missing.length === 0 ? authorizeUri(deps, addressed) : null,
    revision: row?.revision ?? 0,
  }
}

/** Null when the options cannot be opened: the others are told all the same. */
async function openable(row: SettingsRow, { encryptor }: Deps): Promise<ProviderOptions | null> {
  try {
    return await openOptions(encryptor, row)
  } catch (error) {
    if (error instanceof DecryptionError) return null
    throw error
  }
}
