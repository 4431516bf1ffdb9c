import { noSuchUser } from '../objects/conditions.ts'
import { exampleIdentifier } from '../objects/examples.ts'
import { linkIdsOf } from '../objects/providers.ts'
import { operation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { oneUser } from '../parameters/one-user.ts'

export const deleteProfile = operation({
  name: 'delete_profile',
  summary: 'Deletes the profile data stored of a user and prohibits storing them again. The user remains.',
  writes: true,
  parameters: {
    user: oneUser(),
    casual: flag('Only deletes: whether storing is prohibited stays as it is.'),
  },
  faults: { entity_not_found: noSuchUser },
  answer: () => ({}),
  example: () => ({ query: { identifier: exampleIdentifier, casual: 'true' }, answer: {} }),
  async run({ user: named, casual }, { identity, profile }, { site: { site }, call }) {
    const { user, links } = await identity.resolveUser({ site, ...named }, call)
    const subject = { site, identifier: user.identifier, link_ids: linkIdsOf(links) }
    return profile.deleteProfile({ ...subject, prohibit: !casual }, call)
  },
})
