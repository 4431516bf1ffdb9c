import { z } from 'zod'
import { contract } from './define.ts'
import { Merge } from './objects/merge.ts'
import { Identifier, Moment, Site, Timestamp } from './scalars.ts'

const subject = { site: Site, identifier: Identifier }

/** Whether a user is a friend of the site's official account, as last told by the messaging provider; null: never told. */
export const FriendStatus = z.object({
  friendship_status: z.boolean().nullable(),
  friendship_status_updated_at: Timestamp.nullable(),
})

/** Why the messaging provider did not tell the status; bounded, printable text. */
export const ProviderError = z.object({ error: z.string().max(64), error_description: z.string().max(255) })
export type ProviderError = z.infer<typeof ProviderError>

export const friendship = contract('friendship', {
  readStatus: { input: z.object(subject), output: FriendStatus, faults: [] },
  /** Asks the messaging provider and keeps what it says; when it says nothing, the status kept before with the reason. */
  refreshStatus: {
    input: z.object(subject),
    output: FriendStatus.extend({ provider_error: ProviderError.optional() }),
    /** `provider_not_linked`: no messaging credential; `provider_settings_incomplete`: no official account is tied to the channel. */
    faults: ['provider_not_linked', 'provider_settings_incomplete'],
  },
  /** Removes the status kept until the messaging provider was unlinked, also one that arrives later. */
  removeStatus: { input: z.object({ ...subject, unlinked_at: Moment }), output: z.object({}), faults: [] },
  /** Moves the source's status to the destination if its messaging account moved, and forgets the source. */
  mergeUsers: { input: Merge, output: z.object({}), faults: [] },
  /**
   * Keeps a status; one older than the stored or than the unlinking is ignored, as is one of a forgotten user. That of a
   * user who was merged goes to the user that remains.
   */
  recordStatus: {
    input: z.object({ ...subject, friendship_status: z.boolean(), obtained_at: Moment }),
    output: z.object({}),
    faults: [],
  },
  /** Removes all there is about a deleted user, for good. */
  forgetUser: { input: z.object(subject), output: z.object({}), faults: [] },
})
