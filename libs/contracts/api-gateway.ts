import { z } from 'zod'
import { defineContract } from './define.ts'

/** A site's window as a gateway last read it from Redis. */
const SiteCount = z.object({
  site: z.int(),
  /** Redis' name of the window. */
  window: z.string(),
  /** Requests admitted in it, by all gateways together. */
  consumed: z.int().nonnegative(),
  ends_in_ms: z.number().nonnegative(),
})
export type SiteCount = z.output<typeof SiteCount>

export const apiGateway = defineContract(
  'apiGateway',
  {},
  {
    /** A gateway serves, and whether it can count in Redis. Published every second, and when that changes. */
    gatewayServes: { payload: z.object({ gateway: z.uuid(), counts_in_redis: z.boolean().default(true) }) },
    /** The windows that a gateway knows. Published when a gateway can no longer count in Redis. */
    sitesCounted: { payload: z.object({ gateway: z.uuid(), sites: z.array(SiteCount), is_last: z.boolean() }) },
  },
)
