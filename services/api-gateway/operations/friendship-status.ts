import { z } from 'zod'
import { Fault, ProviderError, Timestamp } from '#contracts'
import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { defineOperation } from '../operation.ts'
import { userIds } from '../parameters/user-ids.ts'

export const friendshipStatus = defineOperation({
  name: 'friendship_status',
  resources: ({ wire }) => ['line/friendship_status', `${wire('messaging')}/friendship_status`],
  title: 'Read the friendship status',
  group: 'accounts',
  summary: 'Requests from the messaging provider whether a user is a friend of the official account.',
  writes: false,
  parameters: { user: userIds() },
  faults: {
    entity_not_found: noSuchUser,
    provider_not_linked: 'The user is not linked to the messaging provider.',
    provider_settings_incomplete: 'No official account is tied to the login channel.',
  },
  response: () => ({
    friendship_status: z.boolean().nullable(),
    friendship_status_updated_at: Timestamp.nullable(),
    provider_error: ProviderError.optional(),
  }),
  example: () => ({
    query: { identifier: exampleIdentifier },
    response: { friendship_status: true, friendship_status_updated_at: '2026-05-12T03:21:45Z' },
  }),
  async run({ user: named }, { identity, friendship }, { site: { site }, call }) {
    const { links } = await identity.resolveUser({ site, ...named }, call)
    const link = links.find(({ provider }) => provider === 'messaging')
    if (link === undefined) throw new Fault('provider_not_linked')
    return friendship.refreshStatus({ site, link_id: link.link_id }, call)
  },
})
