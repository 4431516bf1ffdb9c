import { z } from 'zod'
import { limits } from '../limits.ts'
import { Count } from '../scalars.ts'

/** When a site deletes users who no longer log in. */
export const inactivitySettings = {
  /** Days since the last login after which users are deleted; null: never. Users who never logged in count from their creation. */
  delete_after_days: z.int().min(limits.inactivity_days_least).max(limits.inactivity_days_most).nullable(),
  /** Days before the deletion at which `user.deletion_requested` announces it; fewer than `delete_after_days`. */
  notice_days: z.int().min(1).max(limits.inactivity_notice_days).default(30),
  /** Whether users with a `primary_key` are deleted, too. */
  include_mapped: z.boolean().default(false),
} as const

export const InactivitySettings = z.object(inactivitySettings)
export type InactivitySettings = z.infer<typeof InactivitySettings>

export const InactivityRule = InactivitySettings.extend({
  /** Of these settings; 0 if none were ever saved. */
  revision: Count,
})
export type InactivityRule = z.infer<typeof InactivityRule>

/** The users whose deletion a rule would announce at once. `complete`: whether `users` is their number; otherwise there are at least so many. */
export const InactivityPreview = z.object({ users: Count, complete: z.boolean() })
