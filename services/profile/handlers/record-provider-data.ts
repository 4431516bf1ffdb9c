import { lockLinkForStoring, transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { storable } from '../domain/not-stored.ts'
import { listOwners, upsertOwners } from '../store/links.ts'
import { lockProfile } from '../store/profiles.ts'
import { upsertProviderProfile } from '../store/provider-profiles.ts'
import { rebuildProfile } from '../store/rebuilding.ts'
import { lockNotStored } from '../store/site-storing.ts'

export const recordProviderData: ProfileHandlers['recordProviderData'] = async (input, { knex }) => {
  const { site, identifier, link_id, provider, data } = input
  const obtainedAt = new Date(input.obtained_at)
  await transaction(knex, async (trx) => {
    const notStored = await lockNotStored(trx, site)
    if (storable(data, provider, notStored) === null) return
    if (!(await lockLinkForStoring(trx, { link_id, recorded_at: obtainedAt }))) return
    await upsertOwners(trx, { site, identifier }, [link_id], obtainedAt)
    const [owner] = await listOwners(trx, [link_id])
    if (owner === undefined) throw new Error('The link was given an owner.')
    const stored = await lockProfile(trx, owner)
    if (stored.deleted || stored.prohibited) return
    if (!(await upsertProviderProfile(trx, { link_id, provider, data, obtained_at: obtainedAt }, notStored))) return
    await rebuildProfile(trx, stored, obtainedAt)
  })
  return {}
}
