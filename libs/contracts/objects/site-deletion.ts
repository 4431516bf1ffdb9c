import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { Count, Site } from '../scalars.ts'

/** How many rows were deleted, by table. */
export const DeletedRows = z.record(z.string(), Count)
export type DeletedRows = z.infer<typeof DeletedRows>

/**
 * Deletes what the service stores of a closed site, as much as it can in a moment. Call it until `done`, and again later: data that
 * arrived in between is deleted as well. `deleted` counts all rows since the first call.
 */
export const deleteSiteProcedure = {
  input: z.object({ site: Site }),
  output: z.object({ done: z.boolean(), deleted: DeletedRows }),
  faults: [],
} as const satisfies Procedure
