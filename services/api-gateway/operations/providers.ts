import { z } from 'zod'
import { showProviders } from '../objects/providers.ts'
import { defineOperation } from '../operation.ts'

export const providers = defineOperation({
  name: 'providers',
  title: 'List the configured providers',
  group: 'site',
  summary: 'Lists the login providers that are completely configured for the service.',
  writes: false,
  parameters: {},
  faults: {},
  response: () => ({ providers: z.array(z.string().max(255)) }),
  example: ({ wire }) => ({ query: {}, response: { providers: [wire('messaging'), wire('search')] } }),
  async run(_, { providerAuth, names }, { site: { site }, call }) {
    const { providers: configured } = await providerAuth.listProviders({ site }, call)
    return { providers: showProviders(configured, names) }
  },
})
