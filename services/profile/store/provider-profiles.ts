import type { Knex } from 'knex'
import type { Provider, ProviderData } from '#contracts'
import { inPlace } from '#database'
import type { ProviderSupply } from '../domain/combine.ts'
import { complete, fillIn } from '../domain/fill-in.ts'
import { columnsOf, type User, wanted } from './profiles.ts'

/** What there is of a provider from a moment on. */
export interface ProviderState {
  readonly provider: Provider
  /** Null: nothing, as the provider was unlinked. */
  readonly data: ProviderData | null
  /** When the provider supplied it, or was unlinked. */
  readonly obtained_at: Date
  /** When a merge brought it to the user, if one did. */
  readonly brought_at: Date | null
}

/**
 * Keeps what there is of a provider in place of what there was before. What a login was not told is taken from the one before
 * it, also when that is heard of later. The user must be locked.
 *
 * @returns false when nothing changed: the stored is newer, or this is a repeat of it
 */
export async function upsertProviderProfile(
  trx: Knex.Transaction,
  { site, identifier }: User,
  state: ProviderState,
): Promise<boolean> {
  const stored: ProviderState | undefined = await trx('provider_profiles')
    .where({ site, identifier, provider: state.provider })
    .first('provider', 'data', 'obtained_at', 'brought_at')
  const { provider, data, obtained_at, brought_at } = stored === undefined ? state : filledIn(state, stored)
  const stored_moment = '(greatest(stored.obtained_at, stored.brought_at), stored.obtained_at)'
  const moment = '(greatest(excluded.obtained_at, excluded.brought_at), excluded.obtained_at)'
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `insert into provider_profiles as stored (site, identifier, provider, data, obtained_at, brought_at)
     values (:site, :identifier, :provider, :data, :obtained_at, :brought_at)
     on conflict (site, identifier, provider)
     do update set data = excluded.data, obtained_at = excluded.obtained_at, brought_at = excluded.brought_at
     where ${stored_moment} < ${moment}
        or ${stored_moment} = ${moment} and stored.data is not null and stored.data is distinct from excluded.data`,
    { site, identifier, provider, data: data && JSON.stringify(data, storable), obtained_at, brought_at },
  )
  return rowCount > 0
}

/** The newer of two states, filled in by the older; what was unlinked fills in nothing. */
function filledIn(state: ProviderState, stored: ProviderState): ProviderState {
  const [newer, older] = isNewer(stored, state) ? [stored, state] : [state, stored]
  if (newer.data === null) return newer
  return { ...newer, data: older.data === null ? complete(newer.data) : fillIn(newer.data, older.data) }
}

/** As the statement above compares. */
function isNewer(one: ProviderState, other: ProviderState): boolean {
  const latest = ({ obtained_at, brought_at }: ProviderState) =>
    Math.max(obtained_at.getTime(), brought_at?.getTime() ?? 0)
  return latest(one) > latest(other) || (latest(one) === latest(other) && one.obtained_at > other.obtained_at)
}

/** Without what jsonb cannot hold: NUL and halves of surrogate pairs. */
function storable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}

/** Whether something is known of the user's provider that is at least as new as a moment. */
export async function isOutdated(
  trx: Knex.Transaction,
  { site, identifier }: User,
  provider: Provider,
  moment: Date,
): Promise<boolean> {
  const row: unknown = await trx('provider_profiles')
    .where({ site, identifier, provider })
    .whereRaw('greatest(obtained_at, brought_at) >= ?', [moment])
    .first('site')
  return row !== undefined
}

export async function listProviderProfiles(knex: Knex, { site, identifier }: User): Promise<ProviderSupply[]> {
  return knex('provider_profiles')
    .where({ site, identifier })
    .whereNotNull('data')
    .select('provider', 'data', 'obtained_at')
}

/** Users of a site, after one of them, of whom one of the providers supplied something; by identifier. */
export async function listUsersAfter(
  knex: Knex,
  site: number,
  { providers, after, limit }: { providers: readonly string[]; after: string; limit: number },
): Promise<string[]> {
  return knex('provider_profiles')
    .distinct()
    .where({ site })
    .where('identifier', '>', after)
    .whereIn('provider', providers)
    .whereNotNull('data')
    .orderBy('identifier')
    .limit(limit)
    .pluck('identifier')
}

/** Puts other data in place of a provider's, as of the same moment; null removes them. @returns false when nothing changed */
export async function replaceProviderData(
  trx: Knex.Transaction,
  { site, identifier }: User,
  provider: Provider,
  data: ProviderData | null,
): Promise<boolean> {
  const stored = trx('provider_profiles').where({ site, identifier, provider }).whereNotNull('data')
  if (data === null) return (await stored.delete()) > 0
  const written = JSON.stringify(data)
  return (await stored.whereRaw('data is distinct from ?::jsonb', [written]).update({ data: written })) > 0
}

/** What providers supplied for each of the users. */
export async function findProviderData(
  knex: Knex,
  users: readonly User[],
): Promise<readonly (Partial<Record<Provider, ProviderData>> | undefined)[]> {
  const { rows } = await knex.raw<{ rows: { place: number; data: Partial<Record<Provider, ProviderData>> }[] }>(
    `select place, jsonb_object_agg(provider, data) as data
     from ${wanted} join provider_profiles using (site, identifier)
     where data is not null
     group by place`,
    columnsOf(users),
  )
  return inPlace(rows, users.length).map((row) => row?.data)
}

/** Removes the data; that a provider was unlinked stays known. */
export async function removeProviderData(trx: Knex.Transaction, { site, identifier }: User): Promise<void> {
  await trx('provider_profiles').where({ site, identifier }).whereNotNull('data').delete()
}

export async function removeProviderProfiles(trx: Knex.Transaction, { site, identifier }: User): Promise<void> {
  await trx('provider_profiles').where({ site, identifier }).delete()
}
