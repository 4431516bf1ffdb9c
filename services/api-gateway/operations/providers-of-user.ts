import { z } from 'zod'
import { noSuchUser } from '../objects/conditions.ts'
import { exampleIdentifier } from '../objects/examples.ts'
import { providersOf, showProviders } from '../objects/providers.ts'
import { operation } from '../operation.ts'
import { oneUser } from '../parameters/one-user.ts'

export const providersOfUser = operation({
  name: 'providers_of_user',
  summary: 'The login providers linked to a user.',
  writes: false,
  parameters: { user: oneUser() },
  faults: { entity_not_found: noSuchUser },
  answer: () => ({ providers: z.array(z.string().max(255)) }),
  example: ({ wire }) => ({
    query: { identifier: exampleIdentifier },
    answer: { providers: [wire('messaging'), wire('search')] },
  }),
  async run({ user }, { identity, names }, { site: { site }, call }) {
    const { links } = await identity.resolveUser({ site, ...user }, call)
    return { providers: showProviders(providersOf(links), names) }
  },
})
