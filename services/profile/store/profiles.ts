import type { Knex } from 'knex'
import { defineStatement, type Executor } from '#database'
import type { CombinedData } from '../domain/combine.ts'

export interface ProfileKey {
  readonly site: number
  readonly identifier: string
}

/** The stored profile of a user; `combined` is null if no provider's data is stored. */
export interface StoredProfile extends ProfileKey {
  readonly prohibited: boolean
  /** Deleted, or merged into another user. */
  readonly deleted: boolean
  readonly combined: CombinedData | null
  readonly update_count: number
  readonly last_updated_at: Date | null
}

/** A row without data. */
export const noData = { combined: null, update_count: 0, last_updated_at: null } as const

/** The profile of a user, also without stored data. Prohibited for this user or by the site's excluded fields. */
export type ProfileRow = Pick<StoredProfile, 'combined' | 'update_count' | 'last_updated_at' | 'prohibited'>

const prohibitedColumn = 'coalesce(prohibited, false) or coalesce(excludes_everything, false) as prohibited'

/** One row for the user `$1`, `$2`, also without a stored profile. */
const fromUser = `from (values ($1::integer, $2::text)) as wanted (site, identifier)
  left join profiles using (site, identifier) left join excluded_fields using (site)`

const selectProfile = defineStatement<ProfileRow>(
  `select combined, coalesce(update_count, 0) as update_count, last_updated_at, ${prohibitedColumn} ${fromUser}`,
)
const selectProhibition = defineStatement<{ prohibited: boolean }>(`select ${prohibitedColumn} ${fromUser}`)

export async function findProfile(executor: Executor, { site, identifier }: ProfileKey): Promise<ProfileRow> {
  const [row] = (await selectProfile(executor, [site, identifier])).rows
  return row ?? { ...noData, prohibited: false }
}

/** Whether the user's profile is prohibited, without reading the data. */
export async function isProhibited(executor: Executor, { site, identifier }: ProfileKey): Promise<boolean> {
  const [row] = (await selectProhibition(executor, [site, identifier])).rows
  return row?.prohibited ?? false
}

const lockEach = defineStatement<StoredProfile>(
  `insert into profiles (site, identifier)
   select distinct site, identifier from unnest($1::integer[], $2::text[]) as wanted (site, identifier)
   order by site, identifier
   on conflict (site, identifier) do update set deleted = profiles.deleted
   returning site, identifier, prohibited, deleted, combined, update_count, last_updated_at`,
)

/** Locks users' rows until the transaction ends, creating missing ones; in a fixed order, to avoid deadlocks. */
export async function lockProfiles(trx: Knex.Transaction, users: readonly ProfileKey[]): Promise<StoredProfile[]> {
  const columns = [users.map(({ site }) => site), users.map(({ identifier }) => identifier)]
  return (await lockEach(trx, columns)).rows
}

export async function lockProfile(trx: Knex.Transaction, user: ProfileKey): Promise<StoredProfile> {
  const [stored] = await lockProfiles(trx, [user])
  if (stored === undefined) throw new Error('The upsert returned no row.')
  return stored
}

const updateCombined = defineStatement(
  `update profiles set combined = $3, update_count = $4, last_updated_at = $5 where site = $1 and identifier = $2`,
)

/** Replaces the combined data of a locked profile. */
export async function updateCombinedData(
  trx: Knex.Transaction,
  { site, identifier }: ProfileKey,
  { combined, update_count, last_updated_at }: Pick<StoredProfile, 'combined' | 'update_count' | 'last_updated_at'>,
): Promise<void> {
  await updateCombined(trx, [site, identifier, combined, update_count, last_updated_at])
}

/** Changes columns of a locked profile. */
export async function updateProfile(
  trx: Knex.Transaction,
  { site, identifier }: ProfileKey,
  changes: Partial<StoredProfile>,
): Promise<void> {
  await trx('profiles').where({ site, identifier }).update(changes)
}
