import { z } from 'zod'

/** Reports that a peer's process serves, and ends it with the benchmark. */
export function reportServing(port: number): void {
  process.on('disconnect', () => process.exit())
  process.send?.({ port })
}

export const ServingReport = z.object({ port: z.int() })
