import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { removeExcludedFields } from '../domain/excluded-fields.ts'
import { upsertOwners } from '../store/links.ts'
import { lockLinkForData } from '../store/lock-link.ts'
import { lockProfile } from '../store/profiles.ts'
import { listProviderProfiles, writeProviderProfile } from '../store/provider-profiles.ts'
import { combineProfile } from '../store/recombine-profile.ts'

export const recordProviderData: ProfileHandlers['recordProviderData'] = async (input, deps) => {
  const { site, identifier, link_id, provider, data } = input
  const obtainedAt = new Date(input.obtained_at)
  await transaction(deps.knex, async (trx) => {
    const link = await lockLinkForData(trx, { site, link_id, obtained_at: obtainedAt })
    const excludedFields = link.excluded_fields ?? {}
    if (link.is_deleted || removeExcludedFields(data, provider, excludedFields) === null) return
    const isOwner =
      link.owner === identifier || (await upsertOwners(trx, { site, identifier }, [link_id], obtainedAt)).length === 1
    const owner = isOwner ? identifier : link.owner
    if (owner === null) throw new Error('The link has no owner after the upsert.')
    const profile = await lockProfile(trx, deps, { site, identifier: owner })
    if (profile.deleted || profile.prohibited) return
    const supplies = await listProviderProfiles(trx, deps, profile)
    const [others, stored] = [
      supplies.filter((supply) => supply.link_id !== link_id),
      supplies.find((supply) => supply.link_id === link_id),
    ]
    const supplied = { link_id, provider, data, obtained_at: obtainedAt }
    const written = await writeProviderProfile(trx, deps, site, supplied, { stored, excludedFields })
    if (written !== undefined) await combineProfile(trx, deps, profile, [...others, written], obtainedAt)
  })
  return {}
}
