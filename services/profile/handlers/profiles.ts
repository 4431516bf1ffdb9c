import type { ProfileHandlers } from '../deps.ts'
import { summarize } from '../domain/profile-summary.ts'
import { listDataOfUsers } from '../store/imported-profiles.ts'
import { findProfile, isProhibited, listProfilesOfUsers } from '../store/profiles.ts'
import { toCombinedProfile } from '../to-combined-profile.ts'

export const readProfile: ProfileHandlers['readProfile'] = async (user, deps) => {
  const row = await findProfile(deps.reader, deps, user)
  return { ...toCombinedProfile(row), profile_prohibited: row.prohibited }
}

export const readProfileSummaries: ProfileHandlers['readProfileSummaries'] = async ({ site, identifiers }, deps) => {
  const profiles = await listProfilesOfUsers(deps.reader, deps, site, identifiers)
  return { profiles: Object.fromEntries(profiles.map(({ identifier, combined }) => [identifier, summarize(combined)])) }
}

export const readStoredProfiles: ProfileHandlers['readStoredProfiles'] = async ({ site, identifiers }, deps) => {
  const [profiles, data] = await Promise.all([
    listProfilesOfUsers(deps.reader, deps, site, identifiers),
    listDataOfUsers(deps.reader, deps, site, identifiers),
  ])
  const dataOf = Map.groupBy(data, ({ identifier }) => identifier)
  return {
    profiles: Object.fromEntries(
      profiles.map((stored) => [
        stored.identifier,
        {
          ...toCombinedProfile(stored),
          profile_prohibited: stored.prohibited,
          data: Object.fromEntries(
            (dataOf.get(stored.identifier) ?? []).map(({ link_id, data, obtained_at }) => [
              link_id,
              { data, obtained_at: obtained_at.toISOString() },
            ]),
          ),
        },
      ]),
    ),
  }
}

export const readProhibition: ProfileHandlers['readProhibition'] = async (user, { reader }) => ({
  profile_prohibited: await isProhibited(reader, user),
})
