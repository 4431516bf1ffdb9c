import { Identifier, PrimaryKey } from '#contracts'
import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { defineOperation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { required } from '../parameters/text.ts'

export const map = defineOperation({
  name: 'map',
  title: 'Map a user to your user ID',
  group: 'users',
  summary: 'Maps a user to a customer-side user ID.',
  writes: true,
  parameters: {
    identifier: required(Identifier, 'Service user ID.'),
    primary_key: required(PrimaryKey, 'Customer-side user ID.'),
    overwrite: flag('Replaces an existing mapping of the user.'),
  },
  faults: {
    entity_not_found: noSuchUser,
    duplicated_primary_key: '`primary_key` belongs to another user.',
    already_mapped: 'The user is mapped to another value and `overwrite` is not true.',
  },
  response: () => ({}),
  example: () => ({ query: { identifier: exampleIdentifier, primary_key: 'customer-1024' }, response: {} }),
  run(mapping, { identity }, { site: { site }, call, command }) {
    return identity.mapPrimaryKey({ site, ...mapping, command }, call)
  },
})
