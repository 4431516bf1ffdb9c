import type { ProfileHandlers } from '../deps.ts'
import { summarize } from '../domain/profile-summary.ts'
import { listProfilesOfUsers } from '../store/profiles.ts'

export const readProfileSummaries: ProfileHandlers['readProfileSummaries'] = async ({ site, identifiers }, deps) => {
  const profiles = await listProfilesOfUsers(deps.reader, deps, site, identifiers)
  return { profiles: Object.fromEntries(profiles.map(({ identifier, combined }) => [identifier, summarize(combined)])) }
}
