import { z } from 'zod'
import { Identifier, LinkId, PreciseTimestamp, Site } from '../scalars.ts'

/** A merge of two users, as sent to the profile service. */
export const Merge = z.object({
  site: Site,
  source: Identifier,
  destination: Identifier,
  /** The links that moved from the source to the destination. */
  link_ids: z.array(LinkId),
  /** Orders the merge among logins, links and unlinks. */
  merged_at: PreciseTimestamp,
})
export type Merge = z.infer<typeof Merge>
