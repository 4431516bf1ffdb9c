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
    const profile = await lockProfile(trx, user)
    if (await deleteExcludedData(trx, user, notStored)) await recombineProfile(trx, deps, profile, new Date())
  })
}

/** Deletes excluded fields from the data of a locked user's links. @returns whether any data changed */
export async function deleteExcludedData(
  trx: Knex.Transaction,
  user: ProfileKey,
  notStored: ExcludedFields,
): Promise<boolean> {
  let deleted = false
  for (const { link_id, provider, data } of await listProviderProfiles(trx, user))
    if (await replaceProviderData(trx, { site: user.site, link_id }, removeExcludedFields(data, provider, notStored)))
      deleted = true
  return deleted
}
