import { enqueueJob, transaction } from '#database'
import { toTimestamp } from '#runtime'
import type { ProfileHandlers } from '../deps.ts'
import { findDeletionProgress, upsertExcludedFields } from '../store/excluded-fields.ts'

export const changeExcludedFields: ProfileHandlers['changeExcludedFields'] = async (input, { knex }) => {
  const { site, revision, profile_not_stored } = input
  await transaction(knex, async (trx) => {
    if (!(await upsertExcludedFields(trx, { site, revision, fields: profile_not_stored }))) return
    await enqueueJob(trx, {
      task: 'deleteExcludedFields',
      payload: { site },
      key: `deleteExcludedFields:${site}`,
      immediate: true,
    })
  })
  return {}
}

export const readDeletionProgress: ProfileHandlers['readDeletionProgress'] = async ({ site }, { knex }) => {
  const progress = await findDeletionProgress(knex, site)
  if (progress === undefined) return { deletion: null }
  const { deletion_started_at, users_processed } = progress
  return { deletion: { started_at: toTimestamp(deletion_started_at), users_processed } }
}
