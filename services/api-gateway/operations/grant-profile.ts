import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { linkIdsOf } from '../objects/providers.ts'
import { defineOperation } from '../operation.ts'
import { userIds } from '../parameters/user-ids.ts'

export const grantProfile = defineOperation({
  name: 'grant_profile',
  title: 'Allow a profile again',
  group: 'profiles',
  summary: 'Allows storing a user’s profile data again. It is fetched at the user’s next login.',
  writes: true,
  parameters: { user: userIds() },
  faults: { entity_not_found: noSuchUser },
  response: () => ({}),
  example: () => ({ query: { identifier: exampleIdentifier }, response: {} }),
  async run({ user: named }, { identity, profile }, { site: { site }, call, command, repeated }) {
    // The user may be gone, or have other IDs, since the earlier request.
    if (repeated && (await profile.readCommand({ site, command }, call)).done) return {}
    const { user, links } = await identity.resolveUser({ site, ...named }, call)
    return profile.grantProfile({ site, identifier: user.identifier, link_ids: linkIdsOf(links), command }, call)
  },
})
