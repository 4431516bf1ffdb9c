import type { Knex } from 'knex'
import type { ExcludedFields, ProviderData } from '#contracts'
import { defineStatement, type Executor } from '#database'
import type { SuppliedData } from '../domain/combine.ts'
import { removeExcludedFields } from '../domain/excluded-fields.ts'
import { fillMissingItems } from '../domain/fill-missing-items.ts'
import type { ProfileKey } from './profiles.ts'

/** The data that the provider of a link supplied, and when. */
export interface SuppliedLinkData extends SuppliedData {
  readonly link_id: string
}

const selectSupplied = defineStatement<SuppliedLinkData>(
  'select link_id, provider, data, obtained_at from provider_profiles where link_id = $1',
)
const upsert = defineStatement(
  `insert into provider_profiles as stored (link_id, provider, data, obtained_at) values ($1, $2, $3, $4)
   on conflict (link_id) do update set data = excluded.data, obtained_at = excluded.obtained_at
   where stored.data is distinct from excluded.data or stored.obtained_at < excluded.obtained_at`,
)

/**
 * Stores the data that a provider supplied, and replaces older data. Items that a login did not obtain come from the
 * previous login, even if that one arrives later. Excluded fields are removed. The link must be locked and have an owner.
 *
 * @returns false if nothing changed
 */
export async function upsertProviderProfile(
  trx: Knex.Transaction,
  supply: SuppliedLinkData,
  notStored: ExcludedFields,
): Promise<boolean> {
  const { link_id, provider } = supply
  const [stored] = (await selectSupplied(trx, [link_id])).rows
  const newest = stored === undefined ? supply : fillNewer(supply, stored)
  const data = removeExcludedFields(newest.data, provider, notStored)
  if (data === null) return false
  const { obtained_at } = newest
  const written = JSON.stringify(data, removeUnstorable)
  return (await upsert(trx, [link_id, provider, written, obtained_at])).rowCount === 1
}

/** The newer data, with missing items from the older. */
function fillNewer(supply: SuppliedLinkData, stored: SuppliedLinkData): SuppliedLinkData {
  const [newer, older] = stored.obtained_at > supply.obtained_at ? [stored, supply] : [supply, stored]
  return { ...newer, data: fillMissingItems(newer.data, older.data) }
}

/** Removes what jsonb cannot store: NUL and unpaired surrogates. */
function removeUnstorable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}

const selectOfUser = defineStatement<SuppliedLinkData>(
  `select link_id, provider, data, obtained_at from provider_profiles join links using (link_id)
   where site = $1 and identifier = $2`,
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
    .join('provider_profiles', 'links.link_id', 'provider_profiles.link_id')
    .distinct()
    .where({ site })
    .where('identifier', '>', after)
    .whereIn('provider', [...providers])
    .orderBy('identifier')
    .limit(limit)
    .pluck('identifier')
}

/** Replaces the data of a link without changing its time; null deletes it. @returns false if nothing changed */
export async function replaceProviderData(
  trx: Knex.Transaction,
  linkId: string,
  data: ProviderData | null,
): Promise<boolean> {
  const stored = trx('provider_profiles').where({ link_id: linkId })
  if (data === null) return (await stored.delete()) > 0
  const written = JSON.stringify(data)
  return (await stored.whereRaw('data is distinct from ?::jsonb', [written]).update({ data: written })) > 0
}

const selectProviderData = defineStatement<{ link_id: string; data: ProviderData }>(
  'select link_id, data from provider_profiles where link_id = any($1)',
)

/** The data by link, of links that have some. */
export async function findProviderData(
  executor: Executor,
  linkIds: readonly string[],
): Promise<ReadonlyMap<string, ProviderData>> {
  const { rows } = await selectProviderData(executor, [linkIds])
  return new Map(rows.map(({ link_id, data }) => [link_id, data]))
}

/** Deletes the data that was obtained for links until a time. @returns the links that had data */
export async function deleteProviderProfiles(
  trx: Knex.Transaction,
  linkIds: readonly string[],
  obtainedUntil: Date | 'infinity',
): Promise<string[]> {
  const removed: { link_id: string }[] = await trx('provider_profiles')
    .whereIn('link_id', [...linkIds])
    .where('obtained_at', '<=', obtainedUntil)
    .delete()
    .returning('link_id')
  return removed.map(({ link_id }) => link_id)
}
