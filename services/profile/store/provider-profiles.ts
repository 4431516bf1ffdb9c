import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import type { ExcludedFields, ProviderData } from '#contracts'
import { defineStatement, destroyPersonalKeys, type Executor, keyOfSubject, type PersonalColumn } from '#database'
import type { SuppliedData } from '../domain/combine.ts'
import { removeExcludedFields } from '../domain/excluded-fields.ts'
import { fillMissingItems } from '../domain/fill-missing-items.ts'
import type { StoreTools } from './store-tools.ts'
import type { ProfileKey } from './stored-profile.ts'

/** The data that the provider of a link supplied, and when. */
export interface SuppliedLinkData extends SuppliedData {
  readonly link_id: string
}

interface LinkKey {
  readonly site: number
  readonly link_id: string
}

const upsertData = defineStatement(
  `insert into provider_profiles (site, link_id, provider, data, obtained_at) values ($1, $2, $3, $4, $5)
   on conflict (site, link_id) do update set data = excluded.data, obtained_at = excluded.obtained_at`,
)
const updateTime = defineStatement('update provider_profiles set obtained_at = $3 where site = $1 and link_id = $2')

/**
 * Stores the data that a provider supplied, as far as it differs from the stored data of the link. Items that a login did not
 * obtain come from the previous login, even if that one arrives later. Excluded fields are removed. The link and its owner
 * must be locked.
 *
 * @returns the data of the link; undefined if nothing changed
 */
export async function writeProviderProfile(
  trx: Knex.Transaction,
  tools: StoreTools,
  site: number,
  supply: SuppliedLinkData,
  {
    stored,
    excludedFields,
  }: { readonly stored: SuppliedLinkData | undefined; readonly excludedFields: ExcludedFields },
): Promise<SuppliedLinkData | undefined> {
  const { link_id, provider } = supply
  const { data: newest, obtained_at } = stored === undefined ? supply : fillNewer(supply, stored)
  const data = removeExcludedFields(toStorable(newest), provider, excludedFields)
  if (data === null) return undefined
  if (stored === undefined || !isDeepStrictEqual(data, stored.data))
    await upsertData(trx, [
      site,
      link_id,
      provider,
      await encryptData(trx, tools, { site, link_id }, data),
      obtained_at,
    ])
  else if (obtained_at > stored.obtained_at) await updateTime(trx, [site, link_id, obtained_at])
  else return undefined
  return { link_id, provider, data, obtained_at }
}

async function encryptData(
  trx: Knex.Transaction,
  { linkData }: StoreTools,
  { site, link_id }: LinkKey,
  data: ProviderData,
): Promise<string | null | undefined> {
  return (await linkData.encrypt(trx, [{ site, subject: link_id, data }]))[0]
}

/** The newer data, with missing items from the older. */
export function fillNewer(supply: SuppliedLinkData, stored: SuppliedLinkData): SuppliedLinkData {
  const [newer, older] = stored.obtained_at > supply.obtained_at ? [stored, supply] : [supply, stored]
  return { ...newer, data: fillMissingItems(newer.data, older.data) }
}

/** The data as jsonb returns it: text has no NUL and no unpaired surrogates. */
export function toStorable(data: ProviderData): ProviderData {
  return JSON.parse(JSON.stringify(data, removeUnstorable))
}

function removeUnstorable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}

/**
 * Joins the data of each of the site's `links`. By `offset`, Postgres looks it up for one link after another: for a site that it
 * takes for empty, it would otherwise compare all links of the site with all data.
 */
export const dataOfLink = `cross join lateral (
     select provider, data, obtained_at, ${keyOfSubject('of_link.link_id::text')} from provider_profiles as of_link
     where of_link.site = $1 and of_link.link_id = links.link_id offset 0
   ) as supplied`

/** Data of a link as it is stored: it may be encrypted. */
export type EncryptedLinkData<L extends { readonly data: ProviderData }> = Omit<L, 'data'> & {
  readonly data: PersonalColumn<ProviderData>
  readonly key_encrypted: Buffer | null
}

/** Decrypts data of links of a site, without data whose key was destroyed. */
export async function decryptLinkData<L extends { readonly link_id: string; readonly data: ProviderData }>(
  executor: Executor,
  { linkData }: Pick<StoreTools, 'linkData'>,
  site: number,
  rows: readonly EncryptedLinkData<L>[],
) {
  const decrypted = await Promise.all(
    rows.map(async ({ data: stored, key_encrypted, ...row }) => {
      const data = await linkData.decrypt(executor, { site, subject: row.link_id, data: stored, key_encrypted })
      return data === null ? [] : [{ ...row, data }]
    }),
  )
  return decrypted.flat()
}

const selectOfUser = defineStatement<EncryptedLinkData<SuppliedLinkData>>(
  `select link_id, provider, data, obtained_at, key_encrypted from links ${dataOfLink}
   where site = $1 and identifier = $2`,
)

/** The data of all links of a user. */
export async function listProviderProfiles(
  executor: Executor,
  tools: Pick<StoreTools, 'linkData'>,
  { site, identifier }: ProfileKey,
): Promise<SuppliedLinkData[]> {
  return decryptLinkData<SuppliedLinkData>(
    executor,
    tools,
    site,
    (await selectOfUser(executor, [site, identifier])).rows,
  )
}

/** Users of a site with data of one of the providers, after an identifier, ordered by identifier. */
export async function listUsersWithData(
  knex: Knex,
  site: number,
  { providers, after, limit }: { providers: readonly string[]; after: string; limit: number },
): Promise<string[]> {
  return knex('links')
    .join('provider_profiles', { 'links.site': 'provider_profiles.site', 'links.link_id': 'provider_profiles.link_id' })
    .distinct()
    .where({ 'links.site': site })
    .where('identifier', '>', after)
    .whereIn('provider', [...providers])
    .orderBy('identifier')
    .limit(limit)
    .pluck('identifier')
}

/** Replaces the data of a locked link without changing its time; null deletes it. */
export async function replaceProviderData(
  trx: Knex.Transaction,
  tools: StoreTools,
  { site, link_id }: LinkKey,
  data: ProviderData | null,
): Promise<void> {
  const row = trx('provider_profiles').where({ site, link_id })
  if (data !== null) return void (await row.update({ data: await encryptData(trx, tools, { site, link_id }, data) }))
  await row.delete()
  await destroyPersonalKeys(trx, site, [link_id])
}

type DataOfLink = Pick<SuppliedLinkData, 'link_id' | 'data'>

const selectProviderData = defineStatement<EncryptedLinkData<DataOfLink>>(
  `select link_id, data, ${keyOfSubject('provider_profiles.link_id::text')} from provider_profiles
   where site = $1 and link_id = any($2)`,
)

/** The data by link, of links that have some. */
export async function findProviderData(
  executor: Executor,
  tools: Pick<StoreTools, 'linkData'>,
  site: number,
  linkIds: readonly string[],
): Promise<ReadonlyMap<string, ProviderData>> {
  const { rows } = await selectProviderData(executor, [site, linkIds])
  const decrypted = await decryptLinkData<DataOfLink>(executor, tools, site, rows)
  return new Map(decrypted.map(({ link_id, data }) => [link_id, data]))
}

const deleteEach = defineStatement<{ link_id: string }>(
  `delete from provider_profiles where site = $1 and link_id = any($2) and obtained_at <= $3 returning link_id`,
)

/** Deletes the data that was obtained for links until a time. @returns the links that had data */
export async function deleteProviderProfiles(
  trx: Knex.Transaction,
  site: number,
  linkIds: readonly string[],
  obtainedUntil: Date | 'infinity',
): Promise<string[]> {
  const { rows } = await deleteEach(trx, [site, linkIds, obtainedUntil])
  const deleted = rows.map(({ link_id }) => link_id)
  await destroyPersonalKeys(trx, site, deleted)
  return deleted
}
