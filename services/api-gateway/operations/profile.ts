import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { exampleProfileResponse, profileResponse, showProfile } from '../objects/profile.ts'
import { linkIdsOf } from '../objects/providers.ts'
import { showUser } from '../objects/user.ts'
import { defineOperation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { userIds } from '../parameters/user-ids.ts'

export const profile = defineOperation({
  name: 'profile',
  title: 'Read the profile',
  group: 'profiles',
  summary: 'Returns the stored profile data of a user, combined from all login providers.',
  writes: 'delete_profile',
  parameters: {
    user: userIds(),
    delete_profile: flag('Deletes the stored profile data after this response; the next login fetches it again.'),
  },
  faults: { entity_not_found: noSuchUser },
  response: () => profileResponse,
  example: (names) => ({ query: { identifier: exampleIdentifier }, response: exampleProfileResponse(names) }),
  async run({ user: named, delete_profile }, { identity, profile, names }, { site: { site }, call, command }) {
    const { user, links } = await identity.resolveUser({ site, ...named }, call)
    const subject = { site, identifier: user.identifier }
    const { profile_prohibited, ...data } = await profile.readProfile(subject, call)
    const response = { user: showUser(user, profile_prohibited, names), ...showProfile(data, names) }
    if (delete_profile)
      await profile.deleteProfile({ ...subject, link_ids: linkIdsOf(links), prohibit: false, command }, call)
    return response
  },
})
