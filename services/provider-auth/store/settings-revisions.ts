import type { Knex } from 'knex'
import {
  Fault,
  isBuiltIn,
  type LoginProvider,
  limits,
  type ProviderDefinition,
  type ProviderEndpoints,
} from '#contracts'
import { newToken } from '#runtime'

/** Provider settings as shown and changed in the console; the options are encrypted. */
export interface SettingsRow {
  readonly site: number
  readonly account: string
  readonly site_id: string
  readonly provider: LoginProvider
  readonly login_provider_identifier: string
  readonly definition: ProviderDefinition | null
  readonly endpoints: ProviderEndpoints | null
  readonly client_id: string
  readonly options: Buffer
  readonly official_account: boolean
  readonly enabled: boolean
  readonly client_secret_expires_at: Date | null
  readonly revision: number
}

const columns = [
  'site',
  'account',
  'site_id',
  'provider',
  'login_provider_identifier',
  'client_id',
  'options',
  'official_account',
  'enabled',
  'client_secret_expires_at',
  'revision',
  'definition',
  'endpoints',
]

/** A site's settings, including disabled ones, unordered. */
export async function listSettingsRows(knex: Knex, site: number): Promise<SettingsRow[]> {
  return knex('provider_settings').where({ site }).select(columns)
}

/** Locks and returns the settings; the lock prevents other changes until the transaction ends. */
export async function lockProviderSettings(
  trx: Knex.Transaction,
  name: { site: number; provider: LoginProvider },
): Promise<SettingsRow | undefined> {
  return trx('provider_settings').where(name).forUpdate().first(columns)
}

/** A change of settings; an undefined secret stays. */
export interface SettingsChange {
  readonly definition: ProviderDefinition | null
  readonly endpoints: ProviderEndpoints | null
  readonly account: string
  readonly site_id: string
  readonly client_id: string
  readonly client_secret: Buffer | undefined
  readonly options: Buffer
  readonly official_account: boolean
  readonly enabled: boolean
  readonly client_secret_expires_at: string | null
}

/** Changes locked settings and increments their revision. */
export async function updateProviderSettings(
  trx: Knex.Transaction,
  name: { site: number; provider: LoginProvider },
  change: SettingsChange,
): Promise<void> {
  await trx('provider_settings')
    .where(name)
    .update({ ...change, updated_at: trx.fn.now(), revision: trx.raw('revision + 1') })
}

/** Deletes locked settings. Their identifier stays, so that their callback URL does if they are added again. */
export async function deleteProviderSettings(
  trx: Knex.Transaction,
  name: { site: number; provider: LoginProvider },
): Promise<void> {
  await trx('provider_settings').where(name).delete()
}

/** @returns false if another change was first */
export async function insertProviderSettings(
  trx: Knex.Transaction,
  name: { site: number; provider: LoginProvider; login_provider_identifier: string },
  settings: SettingsChange,
): Promise<boolean> {
  const inserted: unknown[] = await trx('provider_settings')
    .insert({ ...name, ...settings })
    // Of either unique index: two first changes at once insert the same identifier, too.
    .onConflict()
    .ignore()
    .returning('site')
  return inserted.length === 1
}

/**
 * The identifier of a site's settings; created before the settings exist.
 *
 * @throws Fault `entity_not_found` if the site already has identifiers for more providers than it can configure
 */
export async function getOrCreateIdentifier(
  knex: Knex,
  name: { site: number; provider: LoginProvider },
): Promise<string> {
  const most = isBuiltIn(name.provider) ? Number.MAX_SAFE_INTEGER : 2 * limits.configured_providers
  await knex.raw(
    `insert into login_provider_identifiers (site, provider, login_provider_identifier)
     select :site, :provider, :identifier
     where (select count(*) from login_provider_identifiers where site = :site) < :most
     on conflict (site, provider) do nothing`,
    { ...name, identifier: newToken('', 16), most },
  )
  const row: { login_provider_identifier: string } | undefined = await knex('login_provider_identifiers')
    .where(name)
    .first('login_provider_identifier')
  if (row === undefined) throw new Fault('entity_not_found')
  return row.login_provider_identifier
}

/** The number of providers that a site configured. */
export async function countConfigured(trx: Knex.Transaction, site: number): Promise<number> {
  const [row] = await trx('provider_settings').where({ site }).whereNotNull('definition').count({ count: '*' })
  return Number(row?.count ?? 0)
}
