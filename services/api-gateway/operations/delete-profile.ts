import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { linkIdsOf } from '../objects/providers.ts'
import { defineOperation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { userIds } from '../parameters/user-ids.ts'

export const deleteProfile = defineOperation({
  name: 'delete_profile',
  summary: 'Deletes the profile data stored of a user and prohibits storing them again. The user remains.',
  writes: true,
  parameters: {
    user: userIds(),
    casual: flag('Only deletes: whether storing is prohibited stays as it is.'),
  },
  faults: { entity_not_found: noSuchUser },
  response: () => ({}),
  example: () => ({ query: { identifier: exampleIdentifier, casual: 'true' }, response: {} }),
  async run({ user: named, casual }, { identity, profile }, { site: { site }, call }) {
    const { user, links } = await identity.resolveUser({ site, ...named }, call)
    const subject = { site, identifier: user.identifier, link_ids: linkIdsOf(links) }
    return profile.deleteProfile({ ...subject, prohibit: !casual }, call)
  },
})
