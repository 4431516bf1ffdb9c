import { z } from 'zod'
import { Provider } from '../providers.ts'
import { Timestamp } from '../scalars.ts'

/** Which users an export or a bulk change is for; all without a condition. */
export const userFilter = {
  /** Created from this time on. */
  created_since: Timestamp.optional(),
  /** Created before this time. */
  created_until: Timestamp.optional(),
  /** Last logged in before this time. */
  last_login_until: Timestamp.optional(),
  /** With an account of this provider. */
  provider: Provider.optional(),
  mapped: z.enum(['mapped_only', 'not_mapped_only']).optional(),
  blocked: z.enum(['blocked_only', 'not_blocked_only']).optional(),
}
