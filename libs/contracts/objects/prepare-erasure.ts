import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { DeletedLinks } from './deleted-links.ts'
import { ErasedCounts } from './erasure.ts'

/**
 * Counts the data of a deleted user that `deleteLinks` will delete. From then on, nothing is stored for the links, so that a repeat
 * before `deleteLinks` returns the same.
 */
export const prepareErasureProcedure = {
  input: DeletedLinks,
  output: z.object({ deleted: ErasedCounts }),
  faults: [],
  repeatable: true,
} as const satisfies Procedure
