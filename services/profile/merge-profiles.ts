import type { Knex } from 'knex'
import type { Input, profileContract } from '#contracts'
import { lockLinks, upsertDeletedLinkData } from '#database'
import { deleteExcludedData } from './delete-excluded-fields.ts'
import { lockExcludedFields } from './store/excluded-fields.ts'
import { upsertOwners } from './store/links.ts'
import { lockProfiles, markDeleted } from './store/profiles.ts'
import { deleteProviderProfiles } from './store/provider-profiles.ts'
import { recombineProfile } from './store/recombine-profile.ts'
import type { StoreTools } from './store/store-tools.ts'

type Merge = Input<(typeof profileContract.procedures)['mergeUsers']>

/** Moves the links to the destination and deletes the source. */
export async function mergeProfiles(trx: Knex.Transaction, tools: StoreTools, merge: Merge): Promise<void> {
  const { site, link_ids, combine } = merge
  const destination = { site, identifier: merge.destination }
  const mergedAt = new Date(merge.merged_at)
  const excludedFields = await lockExcludedFields(trx, site)
  await lockLinks(trx, link_ids)
  const profiles = await lockProfiles(trx, tools, site, [merge.source, merge.destination])
  const from = profiles.find(({ identifier }) => identifier === merge.source)
  const to = profiles.find(({ identifier }) => identifier === merge.destination)
  if (from === undefined || to === undefined) throw new Error('A locked profile is missing.')
  if (from.deleted) return
  // Fewer links if the destination was merged meanwhile.
  const moved = await upsertOwners(trx, destination, link_ids, mergedAt)
  if (from.prohibited || to.prohibited) await upsertDeletedLinkData(trx, site, moved, mergedAt)
  if (to.prohibited) await deleteProviderProfiles(trx, site, moved, 'infinity')
  // The deletion job may have processed the destination, but not yet the source.
  await deleteExcludedData(trx, tools, destination, excludedFields)
  await markDeleted(trx, from, mergedAt)
  if (combine) await recombineProfile(trx, tools, to, mergedAt)
}
