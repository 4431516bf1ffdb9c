import { z } from 'zod'
import { contract } from './define.ts'

export const apiGateway = contract(
  'apiGateway',
  {},
  {
    /** A gateway serves. Told every second, so that each knows how many share a site's limit while Redis is away. */
    gatewayServes: { payload: z.object({ gateway: z.uuid() }) },
  },
)
