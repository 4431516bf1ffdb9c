import { z } from 'zod'
import { Identifier, LinkId, PreciseTimestamp, Site } from '../scalars.ts'

/** Links that were unlinked or deleted with their user, as sent to the services that store their data. */
export const DeletedLinks = z.object({
  site: Site,
  identifier: Identifier,
  link_ids: z.array(LinkId),
  deleted_at: PreciseTimestamp,
})
export type DeletedLinks = z.infer<typeof DeletedLinks>
