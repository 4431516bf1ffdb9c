import type { Metadata } from '#contracts'
import { defineStatement, type Executor } from '#database'
import { listMetadataValues } from '../domain/metadata-values.ts'
import { findMetadataSearch, shareMetadataSearch } from './metadata-searches.ts'

/** The metadata of a user. */
type IndexedUser = readonly [identifier: string, metadata: Metadata]

const deleteOthers = defineStatement(
  `delete from metadata_values
   where site = $1 and identifier = any($2)
     and (identifier, path, value) not in (select * from unnest($3::text[], $4::text[], $5::text[]))`,
)

const insertValues = defineStatement(
  `insert into metadata_values (site, identifier, path, value)
   select $1, * from unnest($2::text[], $3::text[], $4::text[])
   on conflict do nothing`,
)

/** Indexes the metadata of locked users that the transaction stores, by the paths of their site. */
export async function indexMetadata(executor: Executor, site: number, users: readonly IndexedUser[]): Promise<void> {
  await shareMetadataSearch(executor, site)
  const { paths = [] } = (await findMetadataSearch(executor, site)) ?? {}
  // Without paths, the change of the setting deletes what is indexed.
  if (paths.length > 0) await replaceMetadataValues(executor, site, users, paths)
}

/** Stores the values of locked users at the paths, and deletes all others of these users. */
export async function replaceMetadataValues(
  executor: Executor,
  site: number,
  users: readonly IndexedUser[],
  paths: readonly string[],
): Promise<void> {
  const rows = users.flatMap(([identifier, metadata]) =>
    listMetadataValues(metadata, paths).map(({ path, value }) => ({ identifier, path, value })),
  )
  const columns = [rows.map((row) => row.identifier), rows.map(({ path }) => path), rows.map(({ value }) => value)]
  await deleteOthers(executor, [site, users.map(([identifier]) => identifier), ...columns])
  if (rows.length > 0) await insertValues(executor, [site, ...columns])
}
