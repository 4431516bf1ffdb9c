import type { Knex } from 'knex'
import { z } from 'zod'
import type { ProfileNotStored } from '#contracts'
import { lockLinks, type Task, transaction } from '#database'
import { storable } from './domain/not-stored.ts'
import { listLinkIds } from './store/links.ts'
import { lockProfile, type User } from './store/profiles.ts'
import { listProviderProfiles, listUsersAfter, replaceProviderData } from './store/provider-profiles.ts'
import { rebuildProfile } from './store/rebuilding.ts'
import { findClearing, updateClearing } from './store/site-storing.ts'

const usersAtOnce = 100
const Payload = z.object({ site: z.int() })

/** The job that deletes what a site does not store any more; begun again, it goes on where it was. */
export function clearingTask(knex: Knex): Task {
  return async (payload) => {
    const { site } = Payload.parse(payload)
    while (await clearSome(knex, site));
  }
}

/** Clears the next users. @returns whether there may be more */
async function clearSome(knex: Knex, site: number): Promise<boolean> {
  const clearing = await findClearing(knex, site)
  if (clearing === undefined) return false
  const { revision, not_stored, cleared_up_to } = clearing
  const providers = Object.keys(not_stored)
  const found = await listUsersAfter(knex, site, { providers, after: cleared_up_to, limit: usersAtOnce })
  // A transaction each: a login waits for one user's, not for all of them.
  for (const identifier of found) await clearUser(knex, { site, identifier }, not_stored)
  await updateClearing(knex, site, revision, { to: found.at(-1) ?? null, users: found.length })
  return true
}

async function clearUser(knex: Knex, user: User, notStored: ProfileNotStored): Promise<void> {
  const linkIds = await listLinkIds(knex, user)
  await transaction(knex, async (trx) => {
    await lockLinks(trx, linkIds)
    const stored = await lockProfile(trx, user)
    if (await clearData(trx, user, notStored)) await rebuildProfile(trx, stored, new Date())
  })
}

/** Deletes what the site does not store from the data of a locked user's links. @returns whether there was something */
export async function clearData(trx: Knex.Transaction, user: User, notStored: ProfileNotStored): Promise<boolean> {
  let cleared = false
  for (const { link_id, provider, data } of await listProviderProfiles(trx, user))
    if (await replaceProviderData(trx, link_id, storable(data, provider, notStored))) cleared = true
  return cleared
}
