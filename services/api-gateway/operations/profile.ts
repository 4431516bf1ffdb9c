import { noSuchUser } from '../objects/conditions.ts'
import { exampleIdentifier } from '../objects/examples.ts'
import { exampleProfileAnswer, profileAnswer, showProfile } from '../objects/profile.ts'
import { linkIdsOf } from '../objects/providers.ts'
import { showUser } from '../objects/user.ts'
import { operation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { oneUser } from '../parameters/one-user.ts'

export const profile = operation({
  name: 'profile',
  summary: 'The profile data stored of a user, combined from its login providers.',
  writes: 'delete_profile',
  parameters: {
    user: oneUser(),
    delete_profile: flag('Deletes the stored profile data after this answer; the next login fetches it again.'),
  },
  faults: { entity_not_found: noSuchUser },
  answer: () => profileAnswer,
  example: (names) => ({ query: { identifier: exampleIdentifier }, answer: exampleProfileAnswer(names) }),
  async run({ user: named, delete_profile }, { identity, profile, names }, { site: { site }, call }) {
    const { user, links } = await identity.resolveUser({ site, ...named }, call)
    const subject = { site, identifier: user.identifier }
    const { profile_prohibited, ...data } = await profile.readProfile(subject, call)
    const answer = { user: showUser(user, profile_prohibited, names), ...showProfile(data, names) }
    if (delete_profile) await profile.deleteProfile({ ...subject, link_ids: linkIdsOf(links), prohibit: false }, call)
    return answer
  },
})
