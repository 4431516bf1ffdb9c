import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { mergeProfiles } from '../merge-profiles.ts'
import { findProfile } from '../store/profiles.ts'
import { toCombinedProfile } from '../to-combined-profile.ts'

export const mergeUsers: ProfileHandlers['mergeUsers'] = async (merge, deps) => {
  await transaction(deps.knex, (trx) => mergeProfiles(trx, deps, merge))
  return {}
}

/** Runs the merge and rolls it back, so that the preview cannot differ from the merge. */
export const previewMerge: ProfileHandlers['previewMerge'] = async (merge, deps) => {
  const trx = await deps.knex.transaction()
  try {
    await mergeProfiles(trx, deps, { ...merge, merged_at: new Date().toISOString(), combine: true })
    return toCombinedProfile(await findProfile(trx, deps, { site: merge.site, identifier: merge.destination }))
  } finally {
    await trx.rollback()
  }
}
