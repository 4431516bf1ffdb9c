import { z } from 'zod'
import { CredentialObject, showCredentials } from '../objects/credentials.ts'
import { providersOf } from '../objects/providers.ts'
import { showUser, User } from '../objects/user.ts'
import { operation } from '../operation.ts'
import { oneUser } from '../parameters/one-user.ts'

/** Of a user who is not linked with the messaging provider nobody ever told one. */
const no_friend_status = { friendship_status: null, friendship_status_updated_at: null }

export const userAttribute = operation({
  name: 'user_attribute',
  summary: 'A user, and the credentials of each login provider linked to it. They are secrets.',
  writes: false,
  parameters: { user: oneUser() },
  faults: ['entity_not_found'],
  answer: { user: User, providers: z.record(z.string(), CredentialObject) },
  async run({ user: named }, { identity, profile, providerAuth, friendship, names }, { site: { site }, call }) {
    const { user, links } = await identity.resolveUser({ site, ...named }, call)
    const subject = { site, identifier: user.identifier }
    const has_messaging = providersOf(links).includes('messaging')
    const [{ profile_prohibited }, { credentials: stored }, friend] = await Promise.all([
      profile.readProhibition(subject, call),
      providerAuth.readCredentials(subject, call),
      has_messaging ? friendship.readStatus(subject, call) : no_friend_status,
    ])
    return {
      user: showUser(user, profile_prohibited, names),
      providers: showCredentials(links, { stored, friend }, names),
    }
  },
})
