import { z } from 'zod'
import { Provider } from '../providers.ts'
import { Identifier, Moment, Site } from '../scalars.ts'

/** A merge of two users, as the services that follow it are told. */
export const Merge = z.object({
  site: Site,
  source: Identifier,
  destination: Identifier,
  /** Providers whose account moved from the source to the destination. What is left of others is not moved. */
  providers: z.array(Provider),
  /** Orders the merge among logins, links and unlinks. */
  merged_at: Moment,
})
export type Merge = z.infer<typeof Merge>
