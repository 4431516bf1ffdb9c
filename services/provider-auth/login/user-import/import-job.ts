import type { Knex } from 'knex'
import { type Input, type identityContract, type Output, providerAuthContract } from '#contracts'
import { decryptPayload, encryptPayload, enqueueJob, removeJob } from '#database'
import type { Deps } from '../../deps.ts'

/** A batch of users to import, with their tokens and profiles. */
export type ImportedBatch = Input<(typeof providerAuthContract.procedures)['importRecords']>

/** What identity made of a batch. */
export type IdentityImport = Output<(typeof identityContract.procedures)['importUsers']>

/** The job of a batch that was interrupted before it was complete. */
export const importTask = 'complete_import'

/** Enqueues the job of a batch, encrypted. It starts after the request must have ended. */
export async function enqueueImportJob(
  knex: Knex,
  batch: ImportedBatch,
  { encryptor }: Pick<Deps, 'encryptor'>,
): Promise<void> {
  const key = toKey(batch)
  await enqueueJob(knex, { task: importTask, key, payload: encryptPayload(encryptor, key, batch) })
}

/** Removes the job of a batch that is complete. */
export async function removeImportJob(knex: Knex, batch: Pick<ImportedBatch, 'command'>): Promise<void> {
  await removeJob(knex, toKey(batch))
}

/** @throws DecryptionError */
export async function readImportJob(payload: unknown, { encryptor }: Pick<Deps, 'encryptor'>): Promise<ImportedBatch> {
  return providerAuthContract.procedures.importRecords.input.parse(await decryptPayload(encryptor, payload))
}

function toKey({ command }: Pick<ImportedBatch, 'command'>): string {
  return `${importTask}:${command}`
}
