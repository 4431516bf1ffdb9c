import { z } from 'zod'
import { Fault, isLoginEnded } from '#contracts'
import { exampleUser } from '../objects/examples.ts'
import { profileResponse, showProfile } from '../objects/profile.ts'
import { linkIdsOf } from '../objects/providers.ts'
import { showUser } from '../objects/user.ts'
import { defineOperation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { required } from '../parameters/text.ts'

const { user, ...profileFields } = profileResponse

export const authenticatedUser = defineOperation({
  name: 'authenticated_user',
  title: 'Read the user of a one-time token',
  group: 'users',
  summary: 'Returns the user of a one-time token, which can be used once.',
  writes: true,
  parameters: {
    token: required(z.string().max(255), 'The one-time token from the callback address.'),
    preserve_token: flag('Keeps the token valid until it expires, for debugging: a token is otherwise valid once.'),
    add_profile: flag('Also returns the stored profile data, as `profile` does.'),
    delete_profile: flag('Deletes the stored profile data after this response; the next login fetches it again.'),
  },
  faults: { invalid_authentication_token: 'The token is unknown, already used, or expired.' },
  response: () => ({ user, ...z.object(profileFields).partial().shape }),
  example: (names) => ({
    query: { token: 'slot_5Kd8Lq2Wn7Yc3Vx9Bm4Tz6Rp1Hs0JfQw7eUa2ZoXi8G' },
    response: { user: exampleUser(names) },
  }),
  async run({ token, preserve_token, add_profile, delete_profile }, deps, { site: { site }, call, command }) {
    const { identity, profile, providerAuth, names } = deps
    const { identifier, recorded_at } = await providerAuth.redeemOneTimeToken(
      { site, token, command, preserve: preserve_token },
      call,
    )
    const subject = { site, identifier }
    const [{ user, links }, { profile_prohibited, ...data }] = await Promise.all([
      identity.resolveUser(subject, call).catch(toInvalidToken),
      profile.readProfile(subject, call),
    ])
    if (isLoginEnded(user, recorded_at)) throw new Fault('invalid_authentication_token')
    if (delete_profile)
      await profile.deleteProfile({ ...subject, link_ids: linkIdsOf(links), prohibit: false, command }, call)
    return {
      user: showUser(user, profile_prohibited, names),
      ...(add_profile ? showProfile(data, names) : {}),
    }
  },
})

/** If the user was deleted meanwhile, the token is invalid. */
function toInvalidToken(error: unknown): never {
  const isGone = error instanceof Fault && error.fault === 'entity_not_found'
  throw isGone ? new Fault('invalid_authentication_token', { cause: error }) : error
}
