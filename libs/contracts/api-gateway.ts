import { z } from 'zod'
import { defineContract } from './define.ts'

/** A site's window as a gateway last read it from Redis. */
const WindowCount = z.object({
  site: z.int(),
  /** Redis' name of the window. */
  window: z.string(),
  /** Requests admitted in it, by all gateways together. */
  consumed: z.int().nonnegative(),
  ends_in_ms: z.number().nonnegative(),
})
export type WindowCount = z.output<typeof WindowCount>

export const apiGateway = defineContract(
  'apiGateway',
  {},
  {
    /** A gateway serves, and whether it can count in Redis. Published every second, and when that changes. */
    gatewayHeartbeat: { payload: z.object({ gateway: z.uuid(), counts_in_redis: z.boolean().default(true) }) },
    /** The windows that a gateway knows. Published when a gateway can no longer count in Redis. */
    rateLimitWindows: {
      payload: z.object({ gateway: z.uuid(), windows: z.array(WindowCount), is_last: z.boolean() }),
    },
  },
)
