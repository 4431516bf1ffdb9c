import { noSuchUser } from '../objects/conditions.ts'
import { exampleIdentifier } from '../objects/examples.ts'
import { operation } from '../operation.ts'
import { oneUser } from '../parameters/one-user.ts'

export const unmap = operation({
  name: 'unmap',
  summary: 'Removes the customer-side user ID of a user; one without is left as it is.',
  writes: true,
  parameters: { user: oneUser() },
  faults: { entity_not_found: noSuchUser },
  answer: () => ({}),
  example: () => ({ query: { identifier: exampleIdentifier }, answer: {} }),
  async run({ user: named }, { identity }, { site: { site }, call }) {
    const { user } = await identity.resolveUser({ site, ...named }, call)
    return identity.unmapPrimaryKey({ site, identifier: user.identifier }, call)
  },
})
