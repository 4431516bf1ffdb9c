import { Fault } from '#contracts'
import { runCommand } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { applyChange, isSameMetadata } from '../domain/metadata.ts'
import { metadataChangedEvent } from '../domain/user-events.ts'
import { readClock } from '../store/clock.ts'
import { lockUserByIds } from '../store/user-lookup.ts'
import { findMetadata, storeMetadata } from '../store/user-metadata.ts'

export const changeMetadata: IdentityHandlers['changeMetadata'] = async (input, { knex, readSiteSchemas }) => {
  const { site, identifier, primary_key, command, expected_revision } = input
  const ids = { identifier, primary_key }
  return runCommand(
    knex,
    { site, command },
    async (trx) => {
      const user = await lockUserByIds(trx, site, ids)
      const key = { site, identifier: user.identifier }
      const before = await findMetadata(trx, key)
      if (expected_revision !== undefined && expected_revision !== before.revision) throw new Fault('changed_meanwhile')
      const { user_metadata, app_metadata } = applyChange(before, input)
      if (isSameMetadata(before, { user_metadata, app_metadata })) return { ...before, identifier: user.identifier }
      const violation = (await readSiteSchemas(trx, site)).findViolation(before, { user_metadata, app_metadata })
      if (violation !== undefined) throw new Fault('metadata_invalid', { fields: [violation] })
      const after = { user_metadata, app_metadata, revision: before.revision + 1 }
      const event = metadataChangedEvent({ ...user, site, time: await readClock(trx) }, after)
      await storeMetadata(trx, key, after, event)
      return { ...after, identifier: user.identifier }
    },
    async (trx) => {
      const user = await lockUserByIds(trx, site, ids)
      return { ...(await findMetadata(trx, { site, identifier: user.identifier })), identifier: user.identifier }
    },
  )
}
