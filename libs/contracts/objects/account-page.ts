import { z } from 'zod'
import { limits } from '../limits.ts'
import { Count } from '../scalars.ts'

/** What a site decides about the account page of its end users. */
export const accountPageSettings = {
  /** Whether end users of the site have the page. */
  enabled: z.boolean(),
  /** Days after which end users are deleted who ask for it on the page; null: they cannot ask. */
  deletion_waiting_days: z.int().min(0).max(limits.deletion_waiting_days).nullable().default(null),
} as const

/** The account page of a site. */
export const SiteAccountPage = z.object({
  ...accountPageSettings,
  /** Where the page is: on each login host of the site. */
  addresses: z.array(z.string()).min(1),
  /** Of these settings. */
  revision: Count,
})
export type SiteAccountPage = z.infer<typeof SiteAccountPage>
