import { type Call, newCall } from '#bus'
import { toImportedUser } from '#contracts'
import { lockLinksForStoring, type Task, transaction } from '#database'
import type { Deps } from '../../deps.ts'
import { upsertImportedCredentials } from '../../store/imported-credentials.ts'
import { isRejection } from '../callback/record-supplied-login.ts'
import { type IdentityImport, type ImportedBatch, importTask, readImportJob, removeImportJob } from './import-job.ts'
import {
  type LinkToStore,
  listImportedCredentials,
  listImportedProfiles,
  listImportedStatuses,
  listLinksToStore,
} from './links-to-store.ts'

/** How long the job waits for other services. Our choice. */
const jobTimeoutMs = 10_000

/**
 * Imports a batch whose job is stored: identity creates the users and links, then tokens, profiles and friend statuses are stored, then
 * the job is removed. Each step can be repeated.
 *
 * @throws Fault of a service
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
  const { recorded_at } = imported
  const links = listLinksToStore(batch, imported)
  const profiles = listImportedProfiles(batch, imported, links)
  const statuses = listImportedStatuses(links, recorded_at)
  await Promise.all([
    storeCredentials(site, recorded_at, links, deps),
    profiles.length > 0 &&
      deps.profile.importProfiles({ site, recorded_at, replace: conflict === 'replace', users: profiles }, call),
    statuses.length > 0 && deps.friendship.importStatuses({ site, statuses }, call),
  ])
  await removeImportJob(deps.knex, batch)
  return imported
}

async function storeCredentials(
  site: number,
  recordedAt: string,
  links: readonly LinkToStore[],
  { knex, encryptor }: Pick<Deps, 'knex' | 'encryptor'>,
): Promise<void> {
  const credentials = listImportedCredentials(links)
  if (credentials.length === 0) return
  const recorded = { site, recorded_at: new Date(recordedAt) }
  await transaction(knex, async (trx) => {
    const linkIds = credentials.map(({ link_id }) => link_id)
    const storable = await lockLinksForStoring(trx, { ...recorded, link_ids: linkIds })
    const stored = credentials.filter(({ link_id }) => storable.has(link_id))
    await upsertImportedCredentials(trx, encryptor, recorded, stored)
  })
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
