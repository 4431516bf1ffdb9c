import type { ProfileHandlers } from '../deps.ts'
import { mergeInTransaction } from '../merging.ts'
import { findProfiles } from '../store/profiles.ts'
import { toCombinedProfile } from '../to-combined-profile.ts'

/** Runs the merge and rolls it back, so that the preview cannot differ from the merge. */
export const previewMerge: ProfileHandlers['previewMerge'] = async (merge, { knex }) => {
  const trx = await knex.transaction()
  try {
    await mergeInTransaction(trx, { ...merge, merged_at: new Date().toISOString(), combine: true })
    const [merged] = await findProfiles(trx, [{ site: merge.site, identifier: merge.destination }])
    return toCombinedProfile(merged)
  } finally {
    await trx.rollback()
  }
}
