import { Fault } from '#contracts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { defineOperation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { userIds } from '../parameters/user-ids.ts'

export const mergeUser = defineOperation({
  name: 'merge_user',
  title: 'Merge two users',
  group: 'users',
  summary: 'Merges two users: moves the data of the source to the destination and deletes the source.',
  writes: true,
  parameters: {
    source: userIds('source_'),
    destination: userIds('dest_'),
    nomerge: flag('Leaves the destination’s combined profile unchanged.'),
  },
  faults: {
    invalid_parameter: 'Source and destination are the same user.',
    entity_not_found: noSuchUser,
    operation_failed:
      'Both users have an account of the same login provider, and nothing is changed: unlink one first. Or the users are merged, but the profile is updated later, without further requests.',
  },
  response: () => ({}),
  example: () => ({
    query: { source_primary_key: 'customer-1024-old', dest_primary_key: 'customer-1024' },
    response: {},
  }),
  run(users, { identity }, { site: { site }, call, command }) {
    return identity.mergeUsers({ site, ...users, command }, call).catch(addDetail)
  },
})

/** Adds the parameter to the error for two IDs of different users, or for the same user. */
function addDetail(error: unknown): never {
  if (!(error instanceof Fault) || error.fault !== 'invalid_parameter') throw error
  const parameters = new Map([
    ['source', 'source_primary_key'],
    ['destination', 'dest_primary_key'],
  ])
  const parameter = parameters.get(error.fields[0]?.field ?? '')
  throw new Fault('invalid_parameter', {
    cause: error,
    detail:
      parameter === undefined
        ? { reason: 'same_user', parameter: 'dest_identifier' }
        : { reason: 'users_differ', parameter },
  })
}
