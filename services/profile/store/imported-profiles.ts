import type { Knex } from 'knex'
import { defineStatement, destroyPersonalKeys, type Executor } from '#database'
import type { CombinedData } from '../domain/combine.ts'
import { decryptStoredProfiles, type EncryptedProfile, profileColumns, storedColumns } from './profiles.ts'
import { dataOfLink, decryptLinkData, type EncryptedLinkData, type SuppliedLinkData } from './provider-profiles.ts'
import type { StoreTools } from './store-tools.ts'
import type { StoredProfile } from './stored-profile.ts'

const lockEach = defineStatement<EncryptedProfile<StoredProfile>>(
  `with locked as (
   insert into profiles (site, identifier, decided_at)
   select distinct $1::integer, identifier, $3::timestamptz from unnest($2::text[]) as wanted (identifier) order by identifier
   on conflict (site, identifier) do update set decided_at = greatest(profiles.decided_at, excluded.decided_at),
     deleted = case when profiles.decided_at >= excluded.decided_at then profiles.deleted else false end
   returning ${profileColumns}
   )
   select ${storedColumns('locked')} from locked`,
)

/**
 * Locks the rows of users who exist since a time of identity's clock until the transaction ends, creating missing ones; in a fixed
 * order, to avoid deadlocks. Users who were deleted before that time are no longer.
 */
export async function lockImportedProfiles(
  trx: Knex.Transaction,
  tools: StoreTools,
  site: number,
  identifiers: readonly string[],
  recordedAt: Date,
): Promise<StoredProfile[]> {
  return decryptStoredProfiles(trx, tools, (await lockEach(trx, [site, identifiers, recordedAt])).rows)
}

const upsertOwners = defineStatement(
  `insert into links as stored (site, link_id, identifier, owned_since)
   select $1::integer, link_id, identifier, $4::timestamptz from unnest($2::uuid[], $3::text[]) as given (link_id, identifier)
   on conflict (site, link_id) do update set identifier = excluded.identifier, owned_since = excluded.owned_since
   where stored.owned_since < excluded.owned_since`,
)

/** Stores the owners of locked links since a time of identity's clock, unless newer owners are stored. */
export async function upsertImportedOwners(
  trx: Knex.Transaction,
  site: number,
  links: readonly { readonly link_id: string; readonly identifier: string }[],
  ownedSince: Date,
): Promise<void> {
  await upsertOwners(trx, [
    site,
    links.map(({ link_id }) => link_id),
    links.map(({ identifier }) => identifier),
    ownedSince,
  ])
}

type OwnedData = SuppliedLinkData & { readonly identifier: string }

const selectOfUsers = defineStatement<EncryptedLinkData<OwnedData>>(
  `select identifier, link_id, provider, data, obtained_at, key_encrypted from links ${dataOfLink}
   where site = $1 and identifier = any($2)`,
)

/** The stored data of the links of users of a site. */
export async function listDataOfUsers(
  executor: Executor,
  tools: Pick<StoreTools, 'linkData'>,
  site: number,
  identifiers: readonly string[],
): Promise<OwnedData[]> {
  return decryptLinkData<OwnedData>(executor, tools, site, (await selectOfUsers(executor, [site, identifiers])).rows)
}

const upsertEach = defineStatement(
  `insert into provider_profiles (site, link_id, provider, data, obtained_at)
   select $1::integer, * from unnest($2::uuid[], $3::text[], $4::jsonb[], $5::timestamptz[])
   on conflict (site, link_id) do update set data = excluded.data, obtained_at = excluded.obtained_at`,
)

/** Stores the data of locked links. */
export async function upsertImportedData(
  trx: Knex.Transaction,
  { linkData }: StoreTools,
  site: number,
  supplies: readonly SuppliedLinkData[],
): Promise<void> {
  if (supplies.length === 0) return
  const written = supplies.map(({ link_id, data }) => ({ site, subject: link_id, data }))
  await upsertEach(trx, [
    site,
    supplies.map(({ link_id }) => link_id),
    supplies.map(({ provider }) => provider),
    await linkData.encrypt(trx, written),
    supplies.map(({ obtained_at }) => obtained_at),
  ])
}

/** The new state of a locked profile. */
export interface ImportedProfile {
  readonly identifier: string
  readonly prohibited: boolean
  readonly combined: CombinedData | null
  readonly update_count: number
  readonly last_updated_at: Date | null
}

const updateEach = defineStatement(
  `update profiles set prohibited = given.prohibited, combined = given.combined, update_count = given.update_count,
     last_updated_at = given.last_updated_at
   from unnest($2::text[], $3::boolean[], $4::jsonb[], $5::integer[], $6::timestamptz[])
     as given (identifier, prohibited, combined, update_count, last_updated_at)
   where profiles.site = $1 and profiles.identifier = given.identifier`,
)

export async function updateImportedProfiles(
  trx: Knex.Transaction,
  { combinedData }: StoreTools,
  site: number,
  profiles: readonly ImportedProfile[],
): Promise<void> {
  if (profiles.length === 0) return
  const written = profiles.map(({ identifier, combined }) => ({ site, subject: identifier, data: combined }))
  const withoutData = written.filter(({ data }) => data === null)
  await destroyPersonalKeys(
    trx,
    site,
    withoutData.map(({ subject }) => subject),
  )
  await updateEach(trx, [
    site,
    profiles.map(({ identifier }) => identifier),
    profiles.map(({ prohibited }) => prohibited),
    await combinedData.encrypt(trx, written),
    profiles.map(({ update_count }) => update_count),
    profiles.map(({ last_updated_at }) => last_updated_at),
  ])
}
