import { Identifier, StoredMetadata } from '#contracts'
import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { defineOperation } from '../operation.ts'
import { userIds } from '../parameters/user-ids.ts'

export const metadata = defineOperation({
  name: 'metadata',
  title: 'Read metadata',
  group: 'users',
  summary: 'Returns the metadata of a user: both parts, and the revision.',
  writes: false,
  parameters: { user: userIds() },
  faults: { entity_not_found: noSuchUser },
  response: () => ({ identifier: Identifier, ...StoredMetadata.shape }),
  example: () => ({
    query: { identifier: exampleIdentifier },
    response: {
      identifier: exampleIdentifier,
      user_metadata: { language: 'ja' },
      app_metadata: { plan: 'premium' },
      revision: 2,
    },
  }),
  run({ user: named }, { identity }, { site: { site }, call }) {
    return identity.readMetadata({ site, ...named }, call)
  },
})
