import { z } from 'zod'

const ArmEnvironment = z.object({
  IDENTITY_URL: z.url(),
  PROFILE_URL: z.url(),
  REDIS_URL: z.url(),
  NATS_URL: z.url(),
  /** File with the sites and their keys. */
  SITES_FILE: z.string(),
})

/** The servers of the product, for arms that read the same rows. */
export function readArmEnvironment(): z.infer<typeof ArmEnvironment> {
  return ArmEnvironment.parse(process.env)
}

/** Reports that an arm's process serves, and ends it with the benchmark. */
export function reportServing(port = 0): void {
  process.on('disconnect', () => process.exit())
  process.send?.({ port })
}

export const ServingReport = z.object({ port: z.int() })
