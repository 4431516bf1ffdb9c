import { noSuchUser } from '../objects/conditions.ts'
import { exampleIdentifier } from '../objects/examples.ts'
import { operation } from '../operation.ts'
import { oneUser } from '../parameters/one-user.ts'

export const deleteUser = operation({
  name: 'delete_user',
  summary: 'Deletes a user with its credentials, profile data and login history. Its identifier never comes back.',
  writes: true,
  parameters: { user: oneUser() },
  faults: { entity_not_found: noSuchUser },
  answer: () => ({}),
  example: () => ({ query: { identifier: exampleIdentifier }, answer: {} }),
  async run({ user: named }, { identity }, { site: { site }, call }) {
    const { user } = await identity.resolveUser({ site, ...named }, call)
    return identity.deleteUser({ site, identifier: user.identifier }, call)
  },
})
