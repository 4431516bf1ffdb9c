import type { ProfileHandlers } from '../deps.ts'
import { mergeWithin } from '../merging.ts'
import { findProfiles } from '../store/profiles.ts'
import { told } from '../told-profile.ts'

/** The merge itself, undone: what it would make of the profile cannot differ from what it makes. */
export const previewMerge: ProfileHandlers['previewMerge'] = async (merge, { knex }) => {
  const trx = await knex.transaction()
  try {
    await mergeWithin(trx, { ...merge, merged_at: new Date().toISOString(), rebuild: true })
    const [merged] = await findProfiles(trx, [{ site: merge.site, identifier: merge.destination }])
    return told(merged)
  } finally {
    await trx.rollback()
  }
}
