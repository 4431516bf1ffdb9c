import { Fault, Timestamp, UserBlock } from '#contracts'
import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { defineOperation } from '../operation.ts'
import { optional } from '../parameters/text.ts'
import { userIds } from '../parameters/user-ids.ts'

/** As the console names the caller. */
const by = 'Web API'

export const blockUser = defineOperation({
  name: 'block_user',
  title: 'Block a user',
  group: 'users',
  summary:
    'Blocks a user, or changes the block: no login succeeds, and sessions and tokens end at once. Everything else works as before, and `user` has `blocked`.',
  writes: true,
  parameters: {
    user: userIds(),
    reason: optional(UserBlock.shape.reason.unwrap(), 'Why, for the administrators of the site.'),
    until: optional(Timestamp, 'When the block ends, in the future. By default, when the user is unblocked.'),
  },
  faults: { entity_not_found: noSuchUser },
  response: () => ({}),
  example: () => ({ query: { identifier: exampleIdentifier, reason: 'Reported twice' }, response: {} }),
  run({ user, reason = null, until = null }, { identity }, { site: { site }, call, command }) {
    if (until !== null && Date.parse(until) <= Date.now())
      throw new Fault('invalid_parameter', { detail: { reason: 'out_of_range', parameter: 'until' } })
    return identity.blockUser({ site, ...user, reason, until, by, command }, call)
  },
})
