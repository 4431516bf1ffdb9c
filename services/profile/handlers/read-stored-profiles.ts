import type { ProfileHandlers } from '../deps.ts'
import { listDataOfUsers } from '../store/imported-profiles.ts'
import { listProfilesOfUsers } from '../store/profiles.ts'
import { toCombinedProfile } from '../to-combined-profile.ts'

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
