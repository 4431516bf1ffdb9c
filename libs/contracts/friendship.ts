import { z } from 'zod'
import { contract } from './define.ts'
import { Identifier, Site, Timestamp } from './scalars.ts'

const subject = { site: Site, identifier: Identifier }

/** Whether a user is a friend of the site's official account, as last told by the messaging provider; null: never told. */
export const FriendStatus = z.object({
  friendship_status: z.boolean().nullable(),
  friendship_status_updated_at: Timestamp.nullable(),
})

export const friendship = contract('friendship', {
  readStatus: { input: z.object(subject), output: FriendStatus, faults: [] },
  /** Keeps a status; one older than the stored is ignored, as is one of a forgotten user. */
  recordStatus: {
    input: z.object({ ...subject, friendship_status: z.boolean(), obtained_at: Timestamp }),
    output: z.object({}),
    faults: [],
  },
  /** Removes all there is about a deleted user, for good. */
  forgetUser: { input: z.object(subject), output: z.object({}), faults: [] },
})
