import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { UserSearchField, UserSearchSetting, UserSearchState } from '../objects/user-search.ts'
import { Provider } from '../providers.ts'
import { Count, Identifier, Site, Text } from '../scalars.ts'

/** What a list of users shows of a profile. */
const ProfileSummary = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** URL of the picture, as the provider sent it. Replicas of an earlier release give none. */
  image_url: z.string().nullable().optional(),
})

/** Finding users by their profiles. */
export const userSearchProcedures = {
  readUserSearch: { input: z.object({ site: Site }), output: UserSearchState, faults: [], repeatable: true },
  /** Changes by which fields users can be found, and starts to index stored profiles. `entity_not_found`: the site is deleted. */
  changeUserSearch: {
    input: UserSearchSetting.extend({ site: Site, expected_revision: Count }),
    output: UserSearchState,
    faults: ['changed_meanwhile', 'entity_not_found'],
  },
  /**
   * Finds users by an e-mail address, a phone number or the beginning of names, as far as the site has switched them on; at most
   * `found_users`, ordered by identifier. `fields` limits the search, by default to those that are switched on.
   */
  findUsers: {
    input: z.object({ site: Site, q: Text.min(1).max(255), fields: z.array(UserSearchField).optional() }),
    output: z.object({
      users: z.array(
        ProfileSummary.extend({
          identifier: Identifier,
          /** What matched, and the providers that supplied it. */
          matches: z.array(z.object({ field: UserSearchField, providers: z.array(Provider) })),
        }),
      ),
      /** Whether more users match. */
      more: z.boolean(),
      /** The fields that the site has switched on. */
      fields: z.array(UserSearchField),
      /** Whether stored profiles are still being indexed, so that users can be missing. */
      indexing: z.boolean(),
    }),
    faults: [],
    repeatable: true,
  },
  /** Names and e-mail addresses for a list of users; users without a profile are absent. */
  readProfileSummaries: {
    input: z.object({ site: Site, identifiers: z.array(Identifier).max(100) }),
    output: z.object({ profiles: z.record(Identifier, ProfileSummary) }),
    faults: [],
    repeatable: true,
    mayBeStale: true,
  },
} as const satisfies Record<string, Procedure>
