import { z } from 'zod'
import { rejectionFields } from '../objects/rejection.ts'
import { Timestamp } from '../scalars.ts'

/** A rejected request to the authorization or token endpoint, or of a native app, with an explanation for developers. */
export const ExplainedRejection = z.object({
  ...rejectionFields,
  at: Timestamp,
  /** What happened, why, and what to do. */
  explanation: z.string(),
})
