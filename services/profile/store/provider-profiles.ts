import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import type { ExcludedFields, ProviderData } from '#contracts'
import { defineStatement, type Executor } from '#database'
import type { SuppliedData } from '../domain/combine.ts'
import { removeExcludedFields } from '../domain/excluded-fields.ts'
import { fillMissingItems } from '../domain/fill-missing-items.ts'
import type { ProfileKey } from './stored-profile.ts'

/** The data that the provider of a link supplied, and when. */
export interface SuppliedLinkData extends SuppliedData {
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
    await upsertData(trx, [site, link_id, provider, JSON.stringify(data), obtained_at])
  else if (obtained_at > stored.obtained_at) await updateTime(trx, [site, link_id, obtained_at])
  else return undefined
  return { link_id, provider, data, obtained_at }
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
     select provider, data, obtained_at from provider_profiles as of_link
     where of_link.site = $1 and of_link.link_id = links.link_id offset 0
   ) as supplied`

const selectOfUser = defineStatement<SuppliedLinkData>(
  `select link_id, provider, data, obtained_at from links ${dataOfLink} where site = $1 and identifier = $2`,
)

/** The data of all links of a user. */
export async function listProviderProfiles(
  executor: Executor,
  { site, identifier }: ProfileKey,
): Promise<SuppliedLinkData[]> {
  return (await selectOfUser(executor, [site, identifier])).rows
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

/** Replaces the data of a link without changing its time; null deletes it. @returns false if nothing changed */
export async function replaceProviderData(
  trx: Knex.Transaction,
  { site, link_id }: { readonly site: number; readonly link_id: string },
  data: ProviderData | null,
): Promise<boolean> {
  const stored = trx('provider_profiles').where({ site, link_id })
  if (data === null) return (await stored.delete()) > 0
  const written = JSON.stringify(data)
  return (await stored.whereRaw('data is distinct from ?::jsonb', [written]).update({ data: written })) > 0
}

const selectProviderData = defineStatement<{ link_id: string; data: ProviderData }>(
  'select link_id, data from provider_profiles where site = $1 and link_id = any($2)',
)

/** The data by link, of links that have some. */
export async function findProviderData(
  executor: Executor,
  site: number,
  linkIds: readonly string[],
): Promise<ReadonlyMap<string, ProviderData>> {
  const { rows } = await selectProviderData(executor, [site, linkIds])
  return new Map(rows.map(({ link_id, data }) => [link_id, data]))
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
  return rows.map(({ link_id }) => link_id)
}
