import { z } from 'zod'
import { defineContract } from './define.ts'

/** A site's rate limit window, as a gateway last read it from Redis. */
const WindowCount = z.object({
  site: z.int(),
  /** The window's name in Redis; empty while Redis does not have it. */
  window: z.string(),
  /** Requests that all gateways together admitted in the window. */
  consumed: z.int().nonnegative(),
  /** Requests that the publishing gateway admitted by itself and has not reported to Redis. */
  unreported: z.int().nonnegative().default(0),
  ends_in_ms: z.number().nonnegative(),
})
export type WindowCount = z.output<typeof WindowCount>

export const apiGatewayContract = defineContract(
  'apiGateway',
  {},
  {
    /** The gateway is running, and whether it can count in Redis. Published every second and on each change. */
    gatewayHeartbeat: { payload: z.object({ gateway: z.uuid(), counts_in_redis: z.boolean().default(true) }) },
    /**
     * The rate limit windows that a gateway knows. Published when a gateway can no longer count in Redis, with the number of
     * that outage.
     */
    rateLimitWindows: {
      payload: z.object({
        gateway: z.uuid(),
        outage: z.int().nonnegative().default(0),
        windows: z.array(WindowCount),
        is_last: z.boolean(),
      }),
    },
  },
)
