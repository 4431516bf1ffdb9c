import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { linkIdsOf } from '../objects/providers.ts'
import { defineOperation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { userIds } from '../parameters/user-ids.ts'

export const deleteProfile = defineOperation({
  name: 'delete_profile',
  title: 'Delete and prohibit a profile',
  group: 'profiles',
  summary: 'Deletes the stored profile data of a user and prohibits storing it again. The user record is not deleted.',
  writes: true,
  parameters: {
    user: userIds(),
    casual: flag('Does not change whether storing is prohibited.'),
  },
  faults: { entity_not_found: noSuchUser },
  response: () => ({}),
  example: () => ({ query: { identifier: exampleIdentifier, casual: 'true' }, response: {} }),
  async run({ user: named, casual }, { identity, profile }, { site: { site }, call, command, repeated }) {
    // The user may be gone, or have other IDs, since the earlier request.
    if (repeated && (await profile.readCommand({ site, command }, call)).done) return {}
    const { user, links } = await identity.resolveUser({ site, ...named }, call)
    const subject = { site, identifier: user.identifier, link_ids: linkIdsOf(links) }
    return profile.deleteProfile({ ...subject, prohibit: !casual, command }, call)
  },
})
