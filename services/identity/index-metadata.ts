import type { Knex } from 'knex'
import { z } from 'zod'
import type { MetadataSearchState } from '#contracts'
import { enqueueJob, type Task, transaction } from '#database'
import { toTimestamp } from '#runtime'
import {
  finishMetadataIndexing,
  lockMetadataSearch,
  lockNextUsersWithMetadata,
  type MetadataSearchRow,
  storeMetadataSearch,
  updateMetadataProgress,
} from './store/metadata-searches.ts'
import { replaceMetadataValues } from './store/metadata-values.ts'
import { listMetadata } from './store/user-metadata.ts'

/** Users of one transaction, for which changes of these users wait. Our choice. */
const batchSize = 100

const Payload = z.object({ site: z.int() })

/** Begins to index the metadata of a locked site, in the transaction of the change of its setting. */
export async function startIndexingMetadata(
  trx: Knex.Transaction,
  site: number,
  setting: Pick<MetadataSearchRow, 'revision' | 'paths'>,
): Promise<void> {
  await storeMetadataSearch(trx, site, setting)
  const job = { task: 'indexMetadata', payload: { site }, key: `indexMetadata:${site}`, immediate: true as const }
  await enqueueJob(trx, job)
}

/**
 * Creates the job that indexes the stored metadata of a site, and deletes values of paths that were switched off. Each batch is one
 * transaction with its progress, so after an interruption it continues where it stopped.
 */
export function createIndexMetadataTask(knex: Knex): Task {
  return async (payload) => {
    const { site } = Payload.parse(payload)
    while (await indexNextUsers(knex, site));
  }
}

/** Indexes the next users. @returns whether there may be more */
function indexNextUsers(knex: Knex, site: number): Promise<boolean> {
  return transaction(knex, async (trx) => {
    const search = await lockMetadataSearch(trx, site)
    if (search === undefined || search.indexing_started_at === null) return false
    const identifiers = await lockNextUsersWithMetadata(trx, site, search.indexed_up_to, batchSize)
    const last = identifiers.at(-1)
    if (last === undefined) {
      await finishMetadataIndexing(trx, site)
      return false
    }
    // Read after the lock, so that no change of a user is missed. A user who was deleted in the meantime has no metadata.
    const metadata = await listMetadata(trx, site, identifiers)
    await replaceMetadataValues(trx, site, [...metadata], search.paths)
    await updateMetadataProgress(trx, site, { to: last, users: metadata.size })
    return true
  })
}

export function describeMetadataSearch(row: MetadataSearchRow | undefined): MetadataSearchState {
  if (row === undefined) return { paths: [], indexing: null, revision: 0 }
  const { paths, revision, indexing_started_at: startedAt, users_indexed } = row
  return {
    paths: [...paths],
    indexing: startedAt === null ? null : { started_at: toTimestamp(startedAt), users_indexed },
    revision,
  }
}
