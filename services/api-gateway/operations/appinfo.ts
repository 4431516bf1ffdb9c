import { z } from 'zod'
import { Slug } from '#contracts'
import { operation } from '../operation.ts'

export const appinfo = operation({
  name: 'appinfo',
  summary: 'The account and the service that the API key belongs to.',
  writes: false,
  parameters: {},
  faults: {},
  answer: () => ({ info: z.object({ account: Slug, site_id: Slug }) }),
  example: () => ({ query: {}, answer: { info: { account: 'example', site_id: 'shop' } } }),
  async run(_, __, { site: { account, site_id } }) {
    return { info: { account, site_id } }
  },
})
