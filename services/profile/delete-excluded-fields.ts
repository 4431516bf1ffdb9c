import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { z } from 'zod'
import type { ExcludedFields } from '#contracts'
import { type Task, transaction } from '#database'
import type { Deps } from './deps.ts'
import { removeExcludedFields } from './domain/excluded-fields.ts'
import { findDeletionProgress, updateDeletionProgress } from './store/excluded-fields.ts'
import { listLinkIds } from './store/links.ts'
import { lockSettingsAndLinks } from './store/lock-links.ts'
import { lockProfile } from './store/profiles.ts'
import { listProviderProfiles, listUsersWithData, replaceProviderData } from './store/provider-profiles.ts'
import { recombineProfile } from './store/recombine-profile.ts'
import type { StoreTools } from './store/store-tools.ts'
import type { ProfileKey } from './store/stored-profile.ts'

const batchSize = 100

const Payload = z.object({ site: z.int() })

/** The job that deletes stored data of excluded fields. After an interruption, it continues where it stopped. */
export function deleteExcludedFieldsTask(deps: Deps): Task {
  return async (payload) => {
    const { site } = Payload.parse(payload)
    while (await processNextUsers(deps, site));
  }
}

/** Processes the next users. @returns whether there may be more */
async function processNextUsers(deps: Deps, site: number): Promise<boolean> {
  const { knex } = deps
  const progress = await findDeletionProgress(knex, site)
  if (progress === undefined) return false
  const { revision, fields, deleted_up_to } = progress
  const providers = Object.keys(fields)
  const users = await listUsersWithData(knex, site, { providers, after: deleted_up_to, limit: batchSize })
  // One transaction per user, so that a login waits for one user only.
  for (const identifier of users) await processUser(deps, { site, identifier }, fields)
  await updateDeletionProgress(knex, site, revision, { to: users.at(-1) ?? null, users: users.length })
  return true
}

async function processUser(deps: Deps, user: ProfileKey, notStored: ExcludedFields): Promise<void> {
  const linkIds = await listLinkIds(deps.knex, user)
  await transaction(deps.knex, async (trx) => {
    await lockSettingsAndLinks(trx, user.site, linkIds)
    const profile = await lockProfile(trx, deps, user)
    if (await deleteExcludedData(trx, deps, user, notStored)) await recombineProfile(trx, deps, profile, new Date())
  })
}

/** Deletes excluded fields from the data of a locked user's links. @returns whether any data changed */
export async function deleteExcludedData(
  trx: Knex.Transaction,
  tools: StoreTools,
  user: ProfileKey,
  notStored: ExcludedFields,
): Promise<boolean> {
  let hasChanged = false
  for (const { link_id, provider, data } of await listProviderProfiles(trx, tools, user)) {
    const remaining = removeExcludedFields(data, provider, notStored)
    if (isDeepStrictEqual(remaining, data)) continue
    await replaceProviderData(trx, tools, { site: user.site, link_id }, remaining)
    hasChanged = true
  }
  return hasChanged
}
