import { z } from 'zod'
import { providersOf, showProviders } from '../objects/providers.ts'
import { operation } from '../operation.ts'
import { oneUser } from '../parameters/one-user.ts'

export const providersOfUser = operation({
  name: 'providers_of_user',
  summary: 'The login providers linked to a user.',
  writes: false,
  parameters: { user: oneUser() },
  faults: ['entity_not_found'],
  answer: { providers: z.array(z.string()) },
  async run({ user }, { identity, names }, { site: { site }, call }) {
    const { links } = await identity.resolveUser({ site, ...user }, call)
    return { providers: showProviders(providersOf(links), names) }
  },
})
