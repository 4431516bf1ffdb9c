import { toTimestamp } from '#runtime'
import type { ProfileHandlers } from '../deps.ts'
import { findDeletionProgress } from '../store/excluded-fields.ts'

export const readDeletionProgress: ProfileHandlers['readDeletionProgress'] = async ({ site }, { knex }) => {
  const progress = await findDeletionProgress(knex, site)
  if (progress === undefined) return { deletion: null }
  const { deletion_started_at, users_processed } = progress
  return { deletion: { started_at: toTimestamp(deletion_started_at), users_processed } }
}
