import type { Knex } from 'knex'
import { Fault, isLoginEnded, type StoredMetadata, type User } from '#contracts'
import { runCommand } from '#database'
import type { Deps, IdentityHandlers } from '../deps.ts'
import { applyChange, isSameMetadata, type MetadataChange } from '../domain/metadata.ts'
import { metadataChangedEvent } from '../domain/user-events.ts'
import { readClock } from '../store/clock.ts'
import { lockUserByIds } from '../store/user-lookup.ts'
import { findMetadata, storeMetadata } from '../store/user-metadata.ts'

type ChangeHandlers = Pick<IdentityHandlers, 'changeMetadata' | 'changeUserMetadata'>

export const changeMetadataHandlers: ChangeHandlers = {
  async changeMetadata({ site, identifier, primary_key, command, ...change }, { knex, readSiteSchemas }) {
    const ids = { identifier, primary_key }
    return runCommand(
      knex,
      { site, command },
      async (trx) => {
        const user = await lockUserByIds(trx, site, ids)
        const metadata = await changeLockedUser(trx, { ...user, site }, change, readSiteSchemas)
        return { ...metadata, identifier: user.identifier }
      },
      async (trx) => {
        const user = await lockUserByIds(trx, site, ids)
        return { ...(await findMetadata(trx, { site, identifier: user.identifier })), identifier: user.identifier }
      },
    )
  },

  async changeUserMetadata({ site, identifier, recorded_at, command, ...sent }, { knex, readSiteSchemas }) {
    return runCommand(
      knex,
      { site, command },
      async (trx) => {
        const user = await lockUserByIds(trx, site, { identifier })
        // Under the lock: no change follows the end of the login.
        if (isLoginEnded(user, recorded_at)) throw new Fault('user_blocked')
        const change = { ...sent, replace: false }
        return toUserMetadata(await changeLockedUser(trx, { ...user, site }, change, readSiteSchemas))
      },
      async (trx) => {
        await lockUserByIds(trx, site, { identifier })
        return toUserMetadata(await findMetadata(trx, { site, identifier }))
      },
    )
  },
}

/** A change, the revision it is based on, and the client whose application makes it with the user's access token. */
interface RequestedChange extends MetadataChange {
  readonly expected_revision?: number | undefined
  readonly client_id?: string | undefined
}

/** Changes the metadata of a locked user, and stores the event. Nothing is stored if both parts are as before. */
async function changeLockedUser(
  trx: Knex.Transaction,
  user: User & { readonly site: number },
  { expected_revision, client_id, ...change }: RequestedChange,
  readSiteSchemas: Deps['readSiteSchemas'],
): Promise<StoredMetadata> {
  const { site, identifier } = user
  const before = await findMetadata(trx, { site, identifier })
  if (expected_revision !== undefined && expected_revision !== before.revision) throw new Fault('changed_meanwhile')
  const { user_metadata, app_metadata } = applyChange(before, change)
  if (isSameMetadata(before, { user_metadata, app_metadata })) return before
  const violation = (await readSiteSchemas(trx, site)).findViolation(before, { user_metadata, app_metadata })
  if (violation !== undefined) throw new Fault('metadata_invalid', { fields: [violation] })
  const after = { user_metadata, app_metadata, revision: before.revision + 1 }
  const event = metadataChangedEvent({ ...user, time: await readClock(trx) }, { ...after, client_id })
  await storeMetadata(trx, { site, identifier }, after, event)
  return after
}

function toUserMetadata({ user_metadata, revision }: StoredMetadata): Omit<StoredMetadata, 'app_metadata'> {
  return { user_metadata, revision }
}
