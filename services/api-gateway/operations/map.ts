import { Identifier, PrimaryKey } from '#contracts'
import { operation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { required } from '../parameters/text.ts'

export const map = operation({
  name: 'map',
  summary: 'Maps a user to a customer-side user ID.',
  writes: true,
  parameters: {
    identifier: required(Identifier, 'Service user ID.'),
    primary_key: required(PrimaryKey, 'Customer-side user ID.'),
    overwrite: flag('Replaces an existing mapping of the user.'),
  },
  faults: ['entity_not_found', 'duplicated_primary_key', 'already_mapped'],
  answer: {},
  async run(mapping, { identity }, { site: { site }, call }) {
    return identity.mapPrimaryKey({ site, ...mapping }, call)
  },
})
