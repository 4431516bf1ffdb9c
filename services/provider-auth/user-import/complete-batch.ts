import { type Call, newCall } from '#bus'
import { toImportedUser } from '#contracts'
import type { Task } from '#database'
import { isRejection } from '../callback/record-supplied-login.ts'
import type { Deps } from '../deps.ts'
import { type IdentityImport, type ImportedBatch, importTask, readImportJob, removeImportJob } from './import-job.ts'
import { persistImport } from './persist-import.ts'

/** How long the job waits for other services. Our choice. */
const jobTimeoutMs = 10_000

/**
 * Imports a batch whose job is stored: identity creates the users and links, then tokens are stored and profiles and friend statuses
 * sent, instead of the job. Any part can be repeated.
 *
 * @throws Fault of identity
 */
export async function completeBatch(batch: ImportedBatch, deps: Deps, call: Call): Promise<IdentityImport> {
  const { site, command, conflict, users } = batch
  let imported: IdentityImport
  try {
    const records = users.map(toImportedUser)
    imported = await deps.identity.importUsers({ site, command, conflict, users: records }, call)
  } catch (error) {
    // A repeat would be rejected as well.
    if (isRejection(error)) await removeImportJob(deps.knex, batch)
    throw error
  }
  await persistImport(batch, imported, deps, call)
  return imported
}

/** Creates the job that completes interrupted batches. */
export function createImportTasks(deps: Deps): Readonly<Record<string, Task>> {
  return {
    async [importTask](payload) {
      const batch = await readImportJob(payload, deps)
      try {
        await completeBatch(batch, deps, newCall({ withinMs: jobTimeoutMs }))
      } catch (error) {
        if (!isRejection(error)) throw error
      }
    },
  }
}
