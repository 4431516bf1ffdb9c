import { isDeepStrictEqual } from 'node:util'
import type { Input, profileContract } from '#contracts'
import { lockLinksForStoring, transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { combine } from '../domain/combine.ts'
import { removeExcludedFields } from '../domain/excluded-fields.ts'
import { lockExcludedFields } from '../store/excluded-fields.ts'
import {
  type ImportedProfile,
  listDataOfUsers,
  lockImportedProfiles,
  updateImportedProfiles,
  upsertImportedData,
  upsertImportedOwners,
} from '../store/imported-profiles.ts'
import { listOwners } from '../store/links.ts'
import { storeProfileEvents } from '../store/profile-events.ts'
import { noData } from '../store/profiles.ts'
import { deleteProviderProfiles, fillNewer, type SuppliedLinkData, toStorable } from '../store/provider-profiles.ts'
import type { StoredProfile } from '../store/stored-profile.ts'

type ImportedUserProfile = Input<(typeof profileContract.procedures)['importProfiles']>['users'][number]

export const importProfiles: ProfileHandlers['importProfiles'] = async ({ site, replace, users, ...input }, deps) => {
  const recordedAt = new Date(input.recorded_at)
  const links = users.flatMap((user) => user.links.map(({ link_id }) => ({ link_id, identifier: user.identifier })))
  const linkIds = links.map(({ link_id }) => link_id)
  const identifiers = users.map(({ identifier }) => identifier)
  await transaction(deps.knex, async (trx) => {
    const excludedFields = await lockExcludedFields(trx, site)
    const storable = await lockLinksForStoring(trx, { site, link_ids: linkIds, recorded_at: recordedAt })
    const locked = await lockImportedProfiles(trx, deps, site, identifiers, recordedAt)
    const profiles = new Map(locked.map((profile) => [profile.identifier, profile]))
    const storableLinks = links.filter(({ link_id }) => storable.has(link_id))
    await upsertImportedOwners(trx, site, storableLinks, recordedAt)
    const owners = new Map((await listOwners(trx, site, linkIds)).map((link) => [link.link_id, link.identifier]))
    const stored = Map.groupBy(await listDataOfUsers(trx, deps, site, identifiers), ({ identifier }) => identifier)

    const written: SuppliedLinkData[] = []
    const prohibited: string[] = []
    const changed: ImportedProfile[] = []
    for (const user of users) {
      const profile = profiles.get(user.identifier)
      if (profile === undefined || profile.deleted) continue
      const before = stored.get(user.identifier) ?? []
      const isProhibited = user.prohibited || (profile.prohibited && !replace)
      if (isProhibited) {
        prohibited.push(...before.map(({ link_id }) => link_id))
        changed.push({ identifier: user.identifier, prohibited: true, ...noData })
        continue
      }
      const owned = user.links.filter(({ link_id }) => owners.get(link_id) === user.identifier)
      const supplies = owned
        .map((link) => supplyOf(link, replace ? [] : before))
        .flatMap((supply) => {
          const data = removeExcludedFields(supply.data, supply.provider, excludedFields)
          return data === null ? [] : [{ ...supply, data }]
        })
      written.push(...supplies)
      changed.push({
        identifier: user.identifier,
        prohibited: false,
        ...combineImport(user, profile, before, supplies),
      })
    }
    await deleteProviderProfiles(trx, site, prohibited, 'infinity')
    await upsertImportedData(trx, deps, site, written)
    await updateImportedProfiles(trx, deps, site, changed)
    await deps.searchIndex.update(trx, listChangedData(profiles, changed))
    await storeProfileEvents(
      trx,
      deps,
      changed.flatMap((after) => {
        const before = profiles.get(after.identifier)
        return before === undefined ? [] : [{ before, after }]
      }),
    )
  })
  return {}
}

/** The changed profiles with their new data, without those whose data is the same. */
function listChangedData(
  profiles: ReadonlyMap<string, StoredProfile>,
  changes: readonly ImportedProfile[],
): StoredProfile[] {
  return changes.flatMap(({ identifier, combined }) => {
    const before = profiles.get(identifier)
    return before === undefined || isDeepStrictEqual(before.combined, combined) ? [] : [{ ...before, combined }]
  })
}

/** The imported data of a link, with the stored data where that is newer. */
function supplyOf(
  { link_id, provider, data, obtained_at }: ImportedUserProfile['links'][number],
  before: readonly SuppliedLinkData[],
): SuppliedLinkData {
  const supply = { link_id, provider, data: toStorable(data), obtained_at: new Date(obtained_at) }
  const earlier = before.find((one) => one.link_id === link_id)
  return earlier === undefined ? supply : fillNewer(supply, earlier)
}

/** Combines the data of all links of a user. A repeat changes nothing. */
function combineImport(
  { update_count, updated_at }: ImportedUserProfile,
  profile: StoredProfile,
  before: readonly (SuppliedLinkData & { readonly identifier?: string })[],
  supplies: readonly SuppliedLinkData[],
): Pick<ImportedProfile, 'combined' | 'update_count' | 'last_updated_at'> {
  const others = before.filter(({ link_id }) => supplies.every((supply) => supply.link_id !== link_id))
  const all = [...others, ...supplies]
  if (all.length === 0) return noData
  const combined = combine(all)
  const { update_count: count, last_updated_at } = profile
  if (isDeepStrictEqual(combined, profile.combined)) return { combined, update_count: count, last_updated_at }
  const obtainedAt = Math.max(...all.map(({ obtained_at }) => obtained_at.getTime()))
  return {
    combined,
    update_count: count === 0 ? (update_count ?? 1) : count + 1,
    last_updated_at: new Date(updated_at ?? obtainedAt),
  }
}
