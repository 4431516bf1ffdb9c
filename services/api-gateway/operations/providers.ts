import { z } from 'zod'
import { showProviders } from '../objects/providers.ts'
import { operation } from '../operation.ts'

export const providers = operation({
  name: 'providers',
  summary: 'The login providers that are completely configured for the service.',
  writes: false,
  parameters: {},
  faults: {},
  answer: () => ({ providers: z.array(z.string().max(255)) }),
  example: ({ wire }) => ({ query: {}, answer: { providers: [wire('messaging'), wire('search')] } }),
  async run(_, { providerAuth, names }, { site: { site }, call }) {
    const { providers: configured } = await providerAuth.listProviders({ site }, call)
    return { providers: showProviders(configured, names) }
  },
})
