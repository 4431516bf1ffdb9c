import type { Knex } from 'knex'
import { z } from 'zod'
import {
  builtInProviders,
  type Language,
  type Provider,
  type ProviderDefinition,
  type ProviderOptions,
} from '#contracts'
import type { EncryptedTable } from '#database'
import { defineStatement, type Executor, type Reader } from '#database'
import type { EncryptionContext, Encryptor } from '#runtime'
import type { SiteProviderSettings } from '../domain/provider-settings.ts'

/** The key to look up provider settings by: identifier, site, or the names in the site's own login URLs. */
export type SettingsKey = { readonly provider: Provider } & (
  | { readonly login_provider_identifier: string }
  | { readonly site: number }
  | { readonly account: string; readonly site_id: string }
)

/** The settings, decrypted, including disabled ones. */
export async function findProviderSettings(
  { reader, encryptor }: { readonly reader: Reader; readonly encryptor: Encryptor },
  name: SettingsKey,
): Promise<SiteProviderSettings | undefined> {
  const [row] = (await selectSettings(reader, name)).rows
  return row && (await decryptSettings(encryptor, row))
}

const selectWhere = (condition: string) =>
  defineStatement<SettingsRow>(
    `select site, account, site_id, provider, login_provider_identifier, definition, endpoints, client_id, client_secret,
       options, official_account, enabled
     from provider_settings where provider = $1 and ${condition}`,
  )
const selectByIdentifier = selectWhere('login_provider_identifier = $2')
const selectBySite = selectWhere('site = $2')
const selectByNames = selectWhere('account = $2 and site_id = $3')

function selectSettings(reader: Reader, name: SettingsKey) {
  const { provider } = name
  if ('login_provider_identifier' in name) return selectByIdentifier(reader, [provider, name.login_provider_identifier])
  if ('site' in name) return selectBySite(reader, [provider, name.site])
  return selectByNames(reader, [provider, name.account, name.site_id])
}

type EncryptedColumn = 'client_secret' | 'options'
type SettingsRow = Omit<SiteProviderSettings, EncryptedColumn> & Readonly<Record<EncryptedColumn, Buffer>>

const Options = z.record(z.string(), z.string())

/** @throws DecryptionError */
async function decryptSettings(encryptor: Encryptor, row: SettingsRow): Promise<SiteProviderSettings> {
  return {
    ...row,
    client_secret: await encryptor.decrypt(row.client_secret, encryptionContextOf(row, 'client_secret')),
    options: await decryptOptions(encryptor, row),
  }
}

/** @throws DecryptionError */
export async function decryptOptions(
  encryptor: Encryptor,
  row: Pick<SettingsRow, 'site' | 'provider' | 'options'>,
): Promise<ProviderOptions> {
  return Options.parse(JSON.parse(await encryptor.decrypt(row.options, encryptionContextOf(row, 'options'))))
}

/** Inserts or replaces a site's provider settings; returns the identifier, which never changes. */
export async function upsertProviderSettings(
  { knex, encryptor }: { readonly knex: Knex; readonly encryptor: Encryptor },
  settings: SiteProviderSettings,
): Promise<string> {
  const row = {
    ...settings,
    client_secret: encryptor.encrypt(settings.client_secret, encryptionContextOf(settings, 'client_secret')),
    options: encryptor.encrypt(JSON.stringify(settings.options), encryptionContextOf(settings, 'options')),
  }
  const { site, provider, login_provider_identifier, ...replaced } = row
  const revision = knex.raw('provider_settings.revision + 1')
  const [stored] = await knex('provider_settings')
    .insert(row)
    .onConflict(['site', 'provider'])
    .merge({ ...replaced, updated_at: knex.fn.now(), revision })
    .returning('login_provider_identifier')
  return stored.login_provider_identifier
}

/** A site's enabled settings, without secrets, in the order of the specification's table; configured ones follow by name. */
export async function listEnabledSettings(
  knex: Knex,
  site: number,
): Promise<Omit<SiteProviderSettings, 'enabled' | 'official_account' | 'client_id' | EncryptedColumn>[]> {
  return knex('provider_settings')
    .where({ site, enabled: true })
    .orderByRaw('array_position(?::text[], provider), provider', [[...builtInProviders]])
    .select('site', 'account', 'site_id', 'provider', 'login_provider_identifier', 'definition', 'endpoints')
}

const selectSiteByName = defineStatement<Pick<SiteProviderSettings, 'site' | 'account' | 'site_id'>>(
  `select site, account, site_id from provider_settings
   where site_id = $1 and ($2::text is null or account = $2) order by site limit 1`,
)

/** The site that has provider settings with these names; the oldest one of the site ID if the account is unknown. */
export async function findSiteByName(
  executor: Executor,
  { account, site_id }: { readonly account: string | undefined; readonly site_id: string },
): Promise<Pick<SiteProviderSettings, 'site' | 'account' | 'site_id'> | undefined> {
  return (await selectSiteByName(executor, [site_id, account ?? null])).rows[0]
}

const selectLogo = defineStatement<{ readonly logo: string | null }>(
  `select definition ->> 'logo' as logo from provider_settings where login_provider_identifier = $1`,
)

/** The logo of a provider that a site configured, as a data URL. */
export async function findConfiguredLogo(executor: Executor, identifier: string): Promise<string | undefined> {
  const [row] = (await selectLogo(executor, [identifier])).rows
  return row?.logo ?? undefined
}

const selectEnabledProviders = defineStatement<{ readonly provider: Provider }>(
  'select provider from provider_settings where site = $1 and enabled',
)

/** The enabled providers of a site, unordered. */
export async function listEnabledProviders(executor: Executor, site: number): Promise<Provider[]> {
  return (await selectEnabledProviders(executor, [site])).rows.map(({ provider }) => provider)
}

const selectConfiguredNames = defineStatement<{ readonly provider: Provider }>(
  'select provider from provider_settings where site = $1 and definition is not null order by provider',
)

/** The names of the providers that a site configured, enabled or not. */
export async function listConfiguredNames(executor: Executor, site: number): Promise<Provider[]> {
  return (await selectConfiguredNames(executor, [site])).rows.map(({ provider }) => provider)
}

const selectDisplayNames = defineStatement<{ provider: Provider; names: ProviderDefinition['display_name'] }>(
  `select provider, definition -> 'display_name' as names
   from provider_settings where account = $1 and site_id = $2 and definition is not null`,
)

/** The names of the providers that a site configured, by provider and language. */
export async function listConfiguredDisplayNames(
  executor: Executor,
  { account, site_id }: Pick<SiteProviderSettings, 'account' | 'site_id'>,
): Promise<Record<Provider, Record<Language, string>>> {
  const { rows } = await selectDisplayNames(executor, [account, site_id])
  return Object.fromEntries(rows.map(({ provider, names: { en, ja = en } }) => [provider, { en, ja }]))
}

function encryptionContextOf(
  { site, provider }: Pick<SiteProviderSettings, 'site' | 'provider'>,
  column: string,
): EncryptionContext {
  return ['provider_settings', site, provider, column]
}

export const encryptedSettings: EncryptedTable<Pick<SiteProviderSettings, 'site' | 'provider'>> = {
  table: 'provider_settings',
  key: ['site', 'provider'],
  columns: ['client_secret', 'options'],
  encryptionContextOf,
}
