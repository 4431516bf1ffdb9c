import type { ProviderNames } from '#contracts'
import { credentialObjects, showCredentials } from '../objects/credentials.ts'
import { exampleAccount, exampleIdentifier, exampleUser } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { readFriendStatus } from '../objects/friend-status.ts'
import { linkIdsOf } from '../objects/providers.ts'
import { showUser, UserObject } from '../objects/user.ts'
import { defineOperation } from '../operation.ts'
import { userIds } from '../parameters/user-ids.ts'

export const userAttribute = defineOperation({
  name: 'user_attribute',
  title: 'Read a user and its tokens',
  group: 'users',
  summary: 'Returns a user and the credentials of each linked login provider. Credentials are secrets.',
  writes: false,
  parameters: { user: userIds() },
  faults: { entity_not_found: noSuchUser },
  response: (names) => ({ user: UserObject, providers: credentialObjects(names) }),
  example: (names) => ({
    query: { identifier: exampleIdentifier },
    response: { user: exampleUser(names), providers: exampleCredentials(names) },
  }),
  async run({ user: named }, deps, { site: { site }, call }) {
    const { identity, profile, providerAuth, names } = deps
    const { user, links } = await identity.resolveUser({ site, ...named }, call)
    const subject = { site, identifier: user.identifier }
    const [{ profile_prohibited }, { credentials: stored }, friend] = await Promise.all([
      profile.readProhibition(subject, call),
      providerAuth.readCredentials({ site, link_ids: linkIdsOf(links) }, call),
      readFriendStatus(deps, site, links, call),
    ])
    return {
      user: showUser(user, profile_prohibited, names),
      providers: showCredentials(links, { stored, friend }, names),
    }
  },
})

function exampleCredentials({ wire }: ProviderNames) {
  const name = wire('messaging')
  return {
    [name]: {
      [`${name}_id`]: exampleAccount,
      access_token: 'eyJhbGciOiJIUzI1NiJ9.UnQ_o-GP0VtnwDjbK0C8E',
      refresh_token: 'Aa1FdeggRhTnPNNpxr8p',
      expires_at: '2026-06-11T03:21:45Z',
      friendship_status: true,
      friendship_status_updated_at: '2026-05-12T03:21:45Z',
      friendship_updated_at: null,
      created_at: '2026-04-01T08:59:58Z',
      updated_at: '2026-05-12T03:21:45Z',
    },
  }
}
