import { z } from 'zod'
import { Identifier, LinkId, PreciseTimestamp, Site } from '../scalars.ts'

/** Links of a user that were deleted, as the services that store their data receive it: unlinked, or deleted with the user. */
export const DeletedLinks = z.object({
  site: Site,
  identifier: Identifier,
  link_ids: z.array(LinkId),
  deleted_at: PreciseTimestamp,
})
export type DeletedLinks = z.infer<typeof DeletedLinks>
