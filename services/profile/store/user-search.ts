import type { Knex } from 'knex'
import type { UserSearchField } from '#contracts'
import { defineStatement, type Executor } from '#database'

/** By which fields the users of a site can be found. */
export interface SearchSetting {
  readonly fields: readonly UserSearchField[]
  /** The key of the terms that are written. */
  readonly key_version: number
}

/** SQL of the setting of the site `$1`; null if nothing is indexed. */
export const searchSetting = `(select jsonb_build_object('fields', fields, 'key_version', key_version)
    from user_search where site = $1 and fields <> '{}') as search`

export interface SearchRow extends SearchSetting {
  readonly revision: number
  /** Null: every stored profile is indexed. */
  readonly indexing_started_at: Date | null
  readonly indexed_up_to: string
  readonly users_indexed: number
}

const selectRow = defineStatement<SearchRow>(
  `select revision, fields, key_version, indexing_started_at, indexed_up_to, users_indexed from user_search
   where site = $1`,
)

/** Undefined if the site has never changed it. */
export async function findUserSearch(executor: Executor, site: number): Promise<SearchRow | undefined> {
  return (await selectRow(executor, [site])).rows[0]
}

const upsert = defineStatement(
  `insert into user_search (site, revision, fields, key_version, indexing_started_at)
   values ($1, $2, $3, $4, now())
   on conflict (site) do update set revision = excluded.revision, fields = excluded.fields, key_version = excluded.key_version,
     indexing_started_at = excluded.indexing_started_at, indexed_up_to = '', users_indexed = 0`,
)

/** Stores a setting, with which indexing begins again. The site's settings must be locked. */
export async function storeUserSearch(
  trx: Knex.Transaction,
  site: number,
  { revision, fields, key_version }: Pick<SearchRow, 'revision' | keyof SearchSetting>,
): Promise<void> {
  await upsert(trx, [site, revision, fields, key_version])
}

const updateProgress = defineStatement(
  `update user_search set indexed_up_to = $3, users_indexed = users_indexed + $4
   where site = $1 and indexed_up_to = $2 and indexing_started_at is not null`,
)

/** Stores the progress of indexing. @returns false if another worker has stored it, or the site is deleted */
export async function updateIndexingProgress(
  trx: Knex.Transaction,
  site: number,
  { from, to, users }: { readonly from: string; readonly to: string; readonly users: number },
): Promise<boolean> {
  return (await updateProgress(trx, [site, from, to, users])).rowCount === 1
}

const finish = defineStatement('update user_search set indexing_started_at = null where site = $1')

export async function finishIndexing(trx: Knex.Transaction, site: number): Promise<void> {
  await finish(trx, [site])
}
