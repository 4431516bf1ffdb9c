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

export function toColumns(users: readonly ProfileKey[]): [number[], string[]] {
  return [users.map(({ site }) => site), users.map(({ identifier }) => identifier)]
}

/** Locks users' rows until the transaction ends, creating missing ones; in a fixed order, to avoid deadlocks. */
export async function lockProfiles(trx: Knex.Transaction, users: readonly ProfileKey[]): Promise<StoredProfile[]> {
  const { rows } = await trx.raw<{ rows: StoredProfile[] }>(
    `insert into profiles (site, identifier)
     select distinct site, identifier from unnest(?::integer[], ?::text[]) as wanted (site, identifier)
     order by site, identifier
     on conflict (site, identifier) do update set deleted = profiles.deleted
     returning *`,
    toColumns(users),
  )
  return rows
}

export async function lockProfile(trx: Knex.Transaction, user: ProfileKey): Promise<StoredProfile> {
  const [stored] = await lockProfiles(trx, [user])
  if (stored === undefined) throw new Error('The upsert returned no row.')
  return stored
}

export async function updateProfile(
  trx: Knex.Transaction,
  { site, identifier }: ProfileKey,
  changes: Partial<StoredProfile>,
): Promise<void> {
  await trx('profiles').where({ site, identifier }).update(changes)
}
