import { noSuchUser } from '../objects/conditions.ts'
import { exampleIdentifier } from '../objects/examples.ts'
import { linkIdsOf } from '../objects/providers.ts'
import { operation } from '../operation.ts'
import { oneUser } from '../parameters/one-user.ts'

export const grantProfile = operation({
  name: 'grant_profile',
  summary: 'Allows storing a user’s profile data again; they are fetched at the user’s next login.',
  writes: true,
  parameters: { user: oneUser() },
  faults: { entity_not_found: noSuchUser },
  answer: () => ({}),
  example: () => ({ query: { identifier: exampleIdentifier }, answer: {} }),
  async run({ user: named }, { identity, profile }, { site: { site }, call }) {
    const { user, links } = await identity.resolveUser({ site, ...named }, call)
    return profile.grantProfile({ site, identifier: user.identifier, link_ids: linkIdsOf(links) }, call)
  },
})
