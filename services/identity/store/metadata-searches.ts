import type { Knex } from 'knex'
import { defineStatement, type Executor } from '#database'

/** By which paths of metadata the lists of a site can be filtered, with the progress of indexing. */
export interface MetadataSearchRow {
  readonly revision: number
  readonly paths: readonly string[]
  /** Null: the metadata of every user is indexed. */
  readonly indexing_started_at: Date | null
  readonly indexed_up_to: string
  readonly users_indexed: number
}

const columns = 'revision, paths, indexing_started_at, indexed_up_to, users_indexed'

const selectRow = defineStatement<MetadataSearchRow>(`select ${columns} from metadata_searches where site = $1`)

/** Undefined if the site has never changed it. */
export async function findMetadataSearch(executor: Executor, site: number): Promise<MetadataSearchRow | undefined> {
  return (await selectRow(executor, [site])).rows[0]
}

/** First key of the advisory locks for the paths of sites. An arbitrary number that is unique in this service. */
const lockClass = 7_305_011

const lockShared = defineStatement('select pg_advisory_xact_lock_shared($1, $2)')

/**
 * Locks the paths of a site until the transaction ends, shared with others that index metadata: a change waits for these
 * transactions, and then finds the metadata that they stored by the previous paths. Read the paths in a later statement, which sees what
 * was committed while this one waited.
 */
export async function shareMetadataSearch(executor: Executor, site: number): Promise<void> {
  await lockShared(executor, [lockClass, site])
}

const lockExclusive = defineStatement('select pg_advisory_xact_lock($1, $2)')

/** Locks the paths of a site until the transaction ends, to change them. */
export async function lockMetadataPaths(trx: Knex.Transaction, site: number): Promise<void> {
  await lockExclusive(trx, [lockClass, site])
}

const lockRow = defineStatement<MetadataSearchRow>(
  `select ${columns} from metadata_searches where site = $1 for update`,
)

/** As `findMetadataSearch`; other transactions wait with changes of it. */
export async function lockMetadataSearch(trx: Knex.Transaction, site: number): Promise<MetadataSearchRow | undefined> {
  return (await lockRow(trx, [site])).rows[0]
}

const upsert = defineStatement(
  `insert into metadata_searches (site, revision, paths, indexing_started_at) values ($1, $2, $3, now())
   on conflict (site) do update set revision = excluded.revision, paths = excluded.paths,
     indexing_started_at = excluded.indexing_started_at, indexed_up_to = '', users_indexed = 0`,
)

/** Stores the setting of a locked site, with which indexing begins again. */
export async function storeMetadataSearch(
  trx: Knex.Transaction,
  site: number,
  { revision, paths }: Pick<MetadataSearchRow, 'revision' | 'paths'>,
): Promise<void> {
  await upsert(trx, [site, revision, paths])
}

const updateProgress = defineStatement(
  'update metadata_searches set indexed_up_to = $2, users_indexed = users_indexed + $3 where site = $1',
)

/** Stores the progress of indexing of a locked setting. */
export async function updateMetadataProgress(
  trx: Knex.Transaction,
  site: number,
  { to, users }: { readonly to: string; readonly users: number },
): Promise<void> {
  await updateProgress(trx, [site, to, users])
}

const finish = defineStatement('update metadata_searches set indexing_started_at = null where site = $1')

export async function finishMetadataIndexing(trx: Knex.Transaction, site: number): Promise<void> {
  await finish(trx, [site])
}

const selectNext = defineStatement<{ readonly identifier: string }>(
  'select identifier from user_metadata where site = $1 and identifier > $2 order by identifier limit $3',
)

const lockUsers = defineStatement(
  'select 1 from users where site = $1 and identifier = any($2) order by identifier for no key update',
)

/** Locks the next users with metadata, in the order of their identifiers, which it returns. */
export async function lockNextUsersWithMetadata(
  trx: Knex.Transaction,
  site: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const identifiers = (await selectNext(trx, [site, after, limit])).rows.map(({ identifier }) => identifier)
  if (identifiers.length > 0) await lockUsers(trx, [site, identifiers])
  return identifiers
}
