import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { defineOperation } from '../operation.ts'
import { userIds } from '../parameters/user-ids.ts'

export const deleteUser = defineOperation({
  name: 'delete_user',
  title: 'Delete a user',
  group: 'users',
  summary: 'Deletes a user with credentials, profile data and login history. The identifier is never used again.',
  writes: true,
  parameters: { user: userIds() },
  faults: { entity_not_found: noSuchUser },
  response: () => ({}),
  example: () => ({ query: { identifier: exampleIdentifier }, response: {} }),
  run({ user }, { identity }, { site: { site }, call, command }) {
    return identity.deleteUser({ site, ...user, command }, call)
  },
})
