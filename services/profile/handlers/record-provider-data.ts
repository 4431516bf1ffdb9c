import { lockLinkForStoring, transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { removeExcludedFields } from '../domain/excluded-fields.ts'
import { lockExcludedFields } from '../store/excluded-fields.ts'
import { listOwners, upsertOwners } from '../store/links.ts'
import { lockProfile } from '../store/profiles.ts'
import { upsertProviderProfile } from '../store/provider-profiles.ts'
import { recombineProfile } from '../store/recombine-profile.ts'

export const recordProviderData: ProfileHandlers['recordProviderData'] = async (input, { knex }) => {
  const { site, identifier, link_id, provider, data } = input
  const obtainedAt = new Date(input.obtained_at)
  await transaction(knex, async (trx) => {
    const excludedFields = await lockExcludedFields(trx, site)
    if (removeExcludedFields(data, provider, excludedFields) === null) return
    if (!(await lockLinkForStoring(trx, { link_id, recorded_at: obtainedAt }))) return
    await upsertOwners(trx, { site, identifier }, [link_id], obtainedAt)
    const [owner] = await listOwners(trx, [link_id])
    if (owner === undefined) throw new Error('The link has no owner after the upsert.')
    const stored = await lockProfile(trx, owner)
    if (stored.deleted || stored.prohibited) return
    if (!(await upsertProviderProfile(trx, { link_id, provider, data, obtained_at: obtainedAt }, excludedFields)))
      return
    await recombineProfile(trx, stored, obtainedAt)
  })
  return {}
}
