import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { defineOperation } from '../operation.ts'
import { userIds } from '../parameters/user-ids.ts'

export const unmap = defineOperation({
  name: 'unmap',
  title: 'Remove your user ID of a user',
  group: 'users',
  summary: 'Removes the customer-side user ID of a user. Does nothing if the user has none.',
  writes: true,
  parameters: { user: userIds() },
  faults: { entity_not_found: noSuchUser },
  response: () => ({}),
  example: () => ({ query: { identifier: exampleIdentifier }, response: {} }),
  run({ user }, { identity }, { site: { site }, call, command }) {
    return identity.unmapPrimaryKey({ site, ...user, command }, call)
  },
})
