import { z } from 'zod'
import { Slug } from '#contracts'
import { defineOperation } from '../operation.ts'

export const appinfo = defineOperation({
  name: 'appinfo',
  title: 'Read the account and service of an API key',
  group: 'site',
  summary: 'Returns the account and the service of the API key.',
  writes: false,
  parameters: {},
  faults: {},
  response: () => ({ info: z.object({ account: Slug, site_id: Slug }) }),
  example: () => ({ query: {}, response: { info: { account: 'example', site_id: 'shop' } } }),
  async run(_, __, { site: { account, site_id } }) {
    return { info: { account, site_id } }
  },
})
