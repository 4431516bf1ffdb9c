import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { defineOperation } from '../operation.ts'
import { userIds } from '../parameters/user-ids.ts'

export const unblockUser = defineOperation({
  name: 'unblock_user',
  title: 'Unblock a user',
  group: 'users',
  summary: 'Lets a blocked user log in again. Does nothing if the user is not blocked.',
  writes: true,
  parameters: { user: userIds() },
  faults: { entity_not_found: noSuchUser },
  response: () => ({}),
  example: () => ({ query: { identifier: exampleIdentifier }, response: {} }),
  run({ user }, { identity }, { site: { site }, call, command }) {
    return identity.unblockUser({ site, ...user, command }, call)
  },
})
