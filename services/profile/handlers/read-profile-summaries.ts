import type { ProfileHandlers } from '../deps.ts'
import { summarize } from '../domain/profile-summary.ts'
import { listProfilesOfUsers } from '../store/profiles.ts'

export const readProfileSummaries: ProfileHandlers['readProfileSummaries'] = async (
  { site, identifiers },
  { reader },
) => {
  const profiles = await listProfilesOfUsers(reader, site, identifiers)
  return { profiles: Object.fromEntries(profiles.map(({ identifier, combined }) => [identifier, summarize(combined)])) }
}
