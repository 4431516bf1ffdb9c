import { z } from 'zod'
import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { providersOf, showProviders } from '../objects/providers.ts'
import { defineOperation } from '../operation.ts'
import { userIds } from '../parameters/user-ids.ts'

export const providersOfUser = defineOperation({
  name: 'providers_of_user',
  title: 'List the linked providers of a user',
  group: 'accounts',
  summary: 'Lists the login providers that are linked to a user.',
  writes: false,
  parameters: { user: userIds() },
  faults: { entity_not_found: noSuchUser },
  response: () => ({ providers: z.array(z.string().max(255)) }),
  example: ({ wire }) => ({
    query: { identifier: exampleIdentifier },
    response: { providers: [wire('messaging'), wire('search')] },
  }),
  async run({ user }, { identity, names }, { site: { site }, call }) {
    const { links } = await identity.resolveUser({ site, ...user }, call)
    return { providers: showProviders(providersOf(links), names) }
  },
})
