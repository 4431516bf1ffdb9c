import { z } from 'zod'
import { Text, Timestamp } from '../scalars.ts'

/** Why a user may not log in, and until when. */
export const UserBlock = z.object({
  since: Timestamp,
  /** Null: until the user is unblocked. */
  until: Timestamp.nullable(),
  reason: Text.min(1).max(500).nullable(),
  /** Who blocked the user, as the audit trail names them. */
  by: Text.max(255),
})
export type UserBlock = z.infer<typeof UserBlock>
