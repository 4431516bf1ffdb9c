import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { limits } from '../limits.ts'
import { ErasureState, ErasureSummary } from '../objects/erasure.ts'
import { Identifier, PreciseTimestamp, Site } from '../scalars.ts'

/** The place of a deletion in the list. */
const ErasurePosition = z.object({ deleted_at: PreciseTimestamp, identifier: Identifier })

/** Deletions of users, and their receipts. */
export const erasureProcedures = {
  /** The latest deletion of the user. */
  readErasure: {
    input: z.object({ site: Site, identifier: Identifier }),
    output: ErasureState,
    faults: ['entity_not_found'],
    repeatable: true,
  },
  /** Deletions, newest first. `next`: the place after which the next page begins; null: there are no more. */
  listErasures: {
    input: z.object({
      site: Site,
      after: ErasurePosition.optional(),
      limit: z.int().min(1).max(limits.erasures_maximum),
    }),
    output: z.object({ erasures: z.array(ErasureSummary), next: ErasurePosition.nullable() }),
    faults: [],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>
