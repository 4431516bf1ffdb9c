import { exampleFollow, exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { readFriendStatus } from '../objects/friend-status.ts'
import { configuredObject, providerObjects, showProviderObjects } from '../objects/provider-profiles.ts'
import { linkIdsOf } from '../objects/providers.ts'
import { defineOperation } from '../operation.ts'
import { targetProviders } from '../parameters/target-provider.ts'
import { userIds } from '../parameters/user-ids.ts'

export const profileFromProviders = defineOperation({
  name: 'profile_from_providers',
  title: 'Read the profile of each provider',
  group: 'profiles',
  summary: 'Returns the stored profile data of a user for each login provider.',
  writes: false,
  parameters: {
    user: userIds(),
    target_provider: targetProviders(
      'Login providers, separated by commas. Providers that the user has not linked have an empty object.',
    ),
  },
  faults: { entity_not_found: noSuchUser },
  response: providerObjects,
  furtherFields: configuredObject,
  example: ({ wire }) => ({
    query: { identifier: exampleIdentifier, target_provider: `${wire('messaging')},${wire('search')}` },
    response: {
      [wire('messaging')]: {
        profile: {
          user_name: 'Hanako',
          image_url: 'https://images.example.com/hanako.png',
          friendship_status: true,
          friendship_status_updated_at: '2026-05-12T03:21:45Z',
        },
        follow: exampleFollow,
        email: [{ email: 'hanako@example.com' }],
        phone: [],
      },
      [wire('search')]: {},
    },
  }),
  async run({ user: named, target_provider }, deps, { site: { site }, call }) {
    const { identity, profile, names } = deps
    const user = await identity.resolveUser({ site, ...named }, call)
    const links = user.links.filter(({ provider }) => target_provider.includes(provider))
    const [{ data: stored }, friend] = await Promise.all([
      profile.readProviderData({ site, link_ids: linkIdsOf(links) }, call),
      readFriendStatus(deps, site, links, call),
    ])
    return showProviderObjects(target_provider, { links, stored, friend }, names)
  },
})
