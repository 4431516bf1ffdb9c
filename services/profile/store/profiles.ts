import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { defineStatement, destroyPersonalKeys, type Executor, keyOfSubject, type PersonalColumn } from '#database'
import type { CombinedData } from '../domain/combine.ts'
import { storeProfileEvents } from './profile-events.ts'
import { deleteTerms } from './search-terms.ts'
import type { StoreTools } from './store-tools.ts'
import type { ProfileKey, StoredProfile } from './stored-profile.ts'
import { searchSetting } from './user-search.ts'

/** A row without data. */
export const noData = { combined: null, update_count: 0, last_updated_at: null } as const

/** The profile of a user, also without stored data. Prohibited for this user or by the site's excluded fields. */
export type ProfileRow = Pick<StoredProfile, 'combined' | 'update_count' | 'last_updated_at' | 'prohibited'>

/** A row as it is stored: its data may be encrypted. */
export type EncryptedProfile<P extends Pick<StoredProfile, 'combined'>> = Omit<P, 'combined'> & {
  readonly combined: PersonalColumn<CombinedData>
  readonly key_encrypted: Buffer | null
}

/** The profile of a user of a row; without data if its key was destroyed. */
async function decryptProfile<P extends Pick<StoredProfile, 'combined'>>(
  executor: Executor,
  { combinedData }: Pick<StoreTools, 'combinedData'>,
  { site, identifier }: ProfileKey,
  { key_encrypted, ...row }: EncryptedProfile<P>,
) {
  const { combined: data } = row
  return { ...row, combined: await combinedData.decrypt(executor, { site, subject: identifier, data, key_encrypted }) }
}

export function decryptStoredProfiles(
  executor: Executor,
  tools: Pick<StoreTools, 'combinedData'>,
  rows: readonly EncryptedProfile<StoredProfile>[],
): Promise<StoredProfile[]> {
  return Promise.all(rows.map((row) => decryptProfile<StoredProfile>(executor, tools, row, row)))
}

const prohibitedColumn = 'coalesce(prohibited, false) or coalesce(excludes_everything, false) as prohibited'

/** One row for the user `$1`, `$2`, also without a stored profile. */
const fromUser = `from (select) as user_of_site
  left join profiles p on p.site = $1 and p.identifier = $2
  left join excluded_fields e on e.site = $1`

const selectProfile = defineStatement<EncryptedProfile<ProfileRow>>(
  `select combined, coalesce(update_count, 0) as update_count, last_updated_at, ${prohibitedColumn}, ${keyOfSubject('$2')}
   ${fromUser}`,
)
const selectProhibition = defineStatement<{ prohibited: boolean }>(`select ${prohibitedColumn} ${fromUser}`)

export async function findProfile(
  executor: Executor,
  tools: Pick<StoreTools, 'combinedData'>,
  user: ProfileKey,
): Promise<ProfileRow> {
  const [row] = (await selectProfile(executor, [user.site, user.identifier])).rows
  return row === undefined ? { ...noData, prohibited: false } : decryptProfile<ProfileRow>(executor, tools, user, row)
}

type ProfileOfUser = ProfileRow & Pick<ProfileKey, 'identifier'>

const selectEach = defineStatement<EncryptedProfile<ProfileOfUser>>(
  `select identifier, combined, update_count, last_updated_at, prohibited, ${keyOfSubject('profiles.identifier')} from profiles
   where site = $1 and identifier = any($2) and not deleted`,
)

/** The stored profiles of users of a site, unordered; prohibited only as far as the user's own setting. */
export async function listProfilesOfUsers(
  executor: Executor,
  tools: Pick<StoreTools, 'combinedData'>,
  site: number,
  identifiers: readonly string[],
): Promise<ProfileOfUser[]> {
  const { rows } = await selectEach(executor, [site, identifiers])
  return Promise.all(
    rows.map((row) => decryptProfile<ProfileOfUser>(executor, tools, { site, identifier: row.identifier }, row)),
  )
}

/** Whether the user's profile is prohibited, without reading the data. */
export async function isProhibited(executor: Executor, { site, identifier }: ProfileKey): Promise<boolean> {
  const [row] = (await selectProhibition(executor, [site, identifier])).rows
  return row?.prohibited ?? false
}

/** The columns of the table. */
export const profileColumns = 'site, identifier, prohibited, deleted, combined, update_count, last_updated_at'
/** The columns of a stored profile of the site `$1`. @param table the name or alias of the rows */
export const storedColumns = (table: string) =>
  `${profileColumns}, ${searchSetting}, ${keyOfSubject(`${table}.identifier`)}`

const lockEach = defineStatement<EncryptedProfile<StoredProfile>>(
  `with locked as (
     insert into profiles (site, identifier)
     select distinct $1::integer, identifier from unnest($2::text[]) as wanted (identifier) order by identifier
     on conflict (site, identifier) do update set deleted = profiles.deleted
     returning ${profileColumns}
   )
   select ${storedColumns('locked')} from locked`,
)

/** Locks users' rows until the transaction ends, creating missing ones; in a fixed order, to avoid deadlocks. */
export async function lockProfiles(
  trx: Knex.Transaction,
  tools: StoreTools,
  site: number,
  identifiers: readonly string[],
): Promise<StoredProfile[]> {
  return decryptStoredProfiles(trx, tools, (await lockEach(trx, [site, identifiers])).rows)
}

const selectForChange = defineStatement<EncryptedProfile<StoredProfile>>(
  `select ${storedColumns('profiles')} from profiles where site = $1 and identifier = $2 for no key update`,
)

/** Locks a user's row until the transaction ends, creating it if it is missing. */
export async function lockProfile(
  trx: Knex.Transaction,
  tools: StoreTools,
  { site, identifier }: ProfileKey,
): Promise<StoredProfile> {
  const { rows } = await selectForChange(trx, [site, identifier])
  // Unlike the upsert, the select does not write the row.
  const [stored] =
    rows.length > 0 ? await decryptStoredProfiles(trx, tools, rows) : await lockProfiles(trx, tools, site, [identifier])
  if (stored === undefined) throw new Error('The upsert returned no row.')
  return stored
}

const selectNext = defineStatement<EncryptedProfile<StoredProfile>>(
  `select ${storedColumns('profiles')} from profiles where site = $1 and identifier > $2 order by identifier limit $3 for no key update`,
)

/** Locks the next users of a site until the transaction ends, in the order of identifiers; also those who are deleted. */
export async function lockNextProfiles(
  trx: Knex.Transaction,
  tools: StoreTools,
  site: number,
  after: string,
  limit: number,
): Promise<StoredProfile[]> {
  return decryptStoredProfiles(trx, tools, (await selectNext(trx, [site, after, limit])).rows)
}

const updateData = defineStatement(
  'update profiles set combined = $3, update_count = $4, last_updated_at = $5 where site = $1 and identifier = $2',
)
const updateTime = defineStatement(
  'update profiles set update_count = $3, last_updated_at = $4 where site = $1 and identifier = $2',
)

/** Replaces the combined data of a locked profile, as far as it differs, and stores the event of the change. */
export async function updateCombinedData(
  trx: Knex.Transaction,
  tools: StoreTools,
  stored: StoredProfile,
  changed: Pick<StoredProfile, 'combined' | 'update_count' | 'last_updated_at'>,
): Promise<void> {
  const { site, identifier } = stored
  const { combined, update_count, last_updated_at } = changed
  if (isDeepStrictEqual(combined, stored.combined))
    return void (await updateTime(trx, [site, identifier, update_count, last_updated_at]))
  const written = await encryptCombined(trx, tools, stored, combined)
  await updateData(trx, [site, identifier, written, update_count, last_updated_at])
  await tools.searchIndex.update(trx, [{ ...stored, combined }])
  await storeProfileEvents(trx, tools, [{ before: stored, after: changed }])
}

/** Encrypts the data of a locked user; destroys the key if there is none. */
async function encryptCombined(
  trx: Knex.Transaction,
  { combinedData }: StoreTools,
  { site, identifier }: ProfileKey,
  combined: CombinedData | null,
): Promise<string | null> {
  if (combined === null) await destroyPersonalKeys(trx, site, [identifier])
  const [written = null] = await combinedData.encrypt(trx, [{ site, subject: identifier, data: combined }])
  return written
}

const upsertDeleted = defineStatement(
  `insert into profiles (site, identifier, deleted, decided_at) values ($1, $2, true, $3)
   on conflict (site, identifier) do update set deleted = true, decided_at = excluded.decided_at, prohibited = false,
     combined = null, update_count = 0, last_updated_at = null
   where profiles.decided_at is null or profiles.decided_at <= excluded.decided_at`,
)

/** Leaves a tombstone of a locked user who was deleted at a time of identity's clock, unless the identifier was imported later. */
export async function markDeleted(trx: Knex.Transaction, stored: StoredProfile, deletedAt: Date): Promise<void> {
  const { rowCount } = await upsertDeleted(trx, [stored.site, stored.identifier, deletedAt])
  if (rowCount !== 1) return
  await destroyPersonalKeys(trx, stored.site, [stored.identifier])
  if (stored.search !== null) await deleteTerms(trx, stored)
}

/** Deletes the data of a locked profile, or changes whether data may be stored, and stores the events of the change. */
export async function updateProfile(
  trx: Knex.Transaction,
  tools: StoreTools,
  stored: StoredProfile,
  changes: { readonly prohibited: boolean } & Partial<typeof noData>,
): Promise<void> {
  const { site, identifier } = stored
  await trx('profiles').where({ site, identifier }).update(changes)
  if (changes.combined !== undefined) {
    await destroyPersonalKeys(trx, site, [identifier])
    await tools.searchIndex.update(trx, [{ ...stored, ...changes }])
  }
  await storeProfileEvents(trx, tools, [{ before: stored, after: changes }])
}
