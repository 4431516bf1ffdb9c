import { z } from 'zod'
import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser, notLinked } from '../objects/fault-conditions.ts'
import { showProviders } from '../objects/providers.ts'
import { defineOperation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { targetProviders } from '../parameters/target-provider.ts'
import { userIds } from '../parameters/user-ids.ts'

export const dissociate = defineOperation({
  name: 'dissociate',
  title: 'Unlink login providers',
  group: 'accounts',
  summary: 'Unlinks login providers from a user and removes the data obtained from them.',
  writes: true,
  parameters: {
    user: userIds(),
    target_provider: targetProviders(
      'Login providers to unlink, separated by commas. Either all or none are unlinked.',
    ),
    nowarn: flag('Also unlinks the last login provider.'),
    nomerge: flag('Leaves the combined profile unchanged.'),
  },
  faults: {
    entity_not_found: noSuchUser,
    provider_not_linked: `${notLinked} Nothing is unlinked.`,
    last_provider: 'No login provider would remain, and `nowarn` is not true.',
    operation_failed: 'The providers are unlinked, but the profile is updated later, without further requests.',
  },
  response: () => ({ dissociated: z.array(z.string().max(255)) }),
  example: ({ wire }) => ({
    query: { identifier: exampleIdentifier, target_provider: wire('search') },
    response: { dissociated: [wire('search')] },
  }),
  async run({ user, target_provider, ...flags }, { identity, names }, { site: { site }, call, command }) {
    const providers = [...target_provider]
    const { unlinked } = await identity.unlinkProviders({ site, ...user, providers, ...flags, command }, call)
    return { dissociated: showProviders(unlinked, names) }
  },
})
