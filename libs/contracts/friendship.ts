import { z } from 'zod'
import { availabilityNotice, defineContract } from './define.ts'
import { DeletedLinks } from './objects/deleted-links.ts'
import { prepareErasureProcedure } from './objects/prepare-erasure.ts'
import { siteCopyProcedures } from './objects/site-copy.ts'
import { deleteSiteProcedure } from './objects/site-deletion.ts'
import { LinkId, PreciseTimestamp, Site, Timestamp } from './scalars.ts'

/** Whether a user is a friend of the site's official account, as the messaging provider last reported; null: unknown. */
export const FriendStatus = z.object({
  friendship_status: z.boolean().nullable(),
  friendship_status_updated_at: Timestamp.nullable(),
})

/** Why the messaging provider did not return the status: bounded, printable text. */
export const ProviderError = z.object({ error: z.string().max(64), error_description: z.string().max(255) })
export type ProviderError = z.infer<typeof ProviderError>

/** The friend status of users, by the link of their messaging account. */
export const friendshipContract = defineContract(
  'friendship',
  {
    readStatus: {
      input: z.object({ site: Site, link_id: LinkId }),
      output: FriendStatus,
      faults: [],
      repeatable: true,
    },
    /** The statuses of several links; links without one are absent. */
    readStatuses: {
      input: z.object({ site: Site, link_ids: z.array(LinkId) }),
      output: z.object({ statuses: z.record(LinkId, FriendStatus) }),
      faults: [],
      repeatable: true,
    },
    /** Requests the status from the messaging provider and stores it. On failure, returns the stored status and the reason. */
    refreshStatus: {
      input: z.object({ site: Site, link_id: LinkId }),
      output: FriendStatus.extend({ provider_error: ProviderError.optional() }),
      /** `provider_not_linked`: no messaging credential; `provider_settings_incomplete`: no official account is tied to the channel. */
      faults: ['provider_not_linked', 'provider_settings_incomplete'],
    },
    /** Stores a status. Ignored if it is older than the stored one, or if the link was deleted. */
    recordStatus: {
      input: z.object({
        site: Site,
        link_id: LinkId,
        friendship_status: z.boolean(),
        obtained_at: PreciseTimestamp,
      }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    /** As `recordStatus`, for several links. Ignored for links that were deleted. */
    importStatuses: {
      input: z.object({
        site: Site,
        statuses: z.array(z.object({ link_id: LinkId, friendship_status: z.boolean(), obtained_at: PreciseTimestamp })),
      }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    prepareErasure: prepareErasureProcedure,
    /** Deletes the status permanently. */
    deleteLinks: {
      input: DeletedLinks.pick({ site: true, link_ids: true }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    deleteSite: deleteSiteProcedure,
    ...siteCopyProcedures,
  },
  availabilityNotice,
)
