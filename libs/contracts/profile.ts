import { z } from 'zod'
import { defineContract } from './define.ts'
import { DeletedLinks } from './objects/deleted-links.ts'
import { Merge } from './objects/merge.ts'
import { CombinedProfile, ProviderData } from './objects/profile.ts'
import { ExcludedFields } from './objects/site.ts'
import { Provider } from './providers.ts'
import { Count, Identifier, LinkId, PreciseTimestamp, Site, Timestamp } from './scalars.ts'

const subject = { site: Site, identifier: Identifier }
/** A user with all links. */
const linkedSubject = { ...subject, link_ids: z.array(LinkId) }

export const profile = defineContract('profile', {
  /**
   * What of a site's users is not stored, from here on; what is stored of it is deleted in the background, and profiles are
   * combined anew. An older revision than the one known is ignored.
   */
  changeExcludedFields: {
    input: z.object({ site: Site, revision: Count, profile_not_stored: ExcludedFields }),
    output: z.object({}),
    faults: [],
  },
  /** How far the deletion of what a site does not store any more has come; null: nothing is left to do. */
  readDeletionProgress: {
    input: z.object({ site: Site }),
    output: z.object({ deletion: z.object({ started_at: Timestamp, users_processed: Count }).nullable() }),
    faults: [],
  },
  /** What the destination's profile would be after `mergeUsers`. Nothing is changed. */
  previewMerge: {
    input: Merge.omit({ merged_at: true }),
    output: CombinedProfile,
    faults: [],
  },
  /**
   * Stores what a provider supplied at a login, and combines it with the user's other providers' data. Ignored for a user
   * who is deleted or prohibits storage, and when the data is older than the stored, or was obtained before it was deleted.
   * When the user was merged meanwhile, the data goes to the user that the link belongs to.
   */
  recordProviderData: {
    input: z.object({
      ...subject,
      link_id: LinkId,
      provider: Provider,
      data: ProviderData,
      obtained_at: PreciseTimestamp,
    }),
    output: z.object({}),
    faults: [],
  },
  readProfile: {
    input: z.object(subject),
    output: CombinedProfile.extend({ profile_prohibited: z.boolean() }),
    faults: [],
  },
  readProhibition: {
    input: z.object(subject),
    output: z.object({ profile_prohibited: z.boolean() }),
    faults: [],
  },
  /** What the provider of each link supplied; links without stored data are absent. */
  readProviderData: {
    input: z.object({ link_ids: z.array(LinkId) }),
    output: z.object({ data: z.record(LinkId, ProviderData) }),
    faults: [],
  },
  /** Deletes what a provider supplied until a time, and combines the rest; data obtained before is not stored later either. */
  deleteProviderData: {
    input: z.object({ link_id: LinkId, obtained_until: PreciseTimestamp }),
    output: z.object({}),
    faults: [],
  },
  /**
   * Deletes the data of links for good. Of the user's combined profile `combine` leaves what the remaining links supplied,
   * `keep` everything, `delete` nothing: the user is deleted.
   */
  deleteLinks: {
    input: DeletedLinks.extend({ profile: z.enum(['combine', 'keep', 'delete']) }),
    output: z.object({}),
    faults: [],
  },
  /**
   * Moves the data of links to the destination, combined with its own data if `rebuild` is set, and deletes the source. The
   * destination's prohibition applies: if it has one nothing is moved. The source's ends with it.
   */
  mergeUsers: {
    input: Merge.extend({ combine: z.boolean() }),
    output: z.object({}),
    faults: [],
  },
  /** Allows storing again; nothing is stored until the next login. */
  grantProfile: { input: z.object(linkedSubject), output: z.object({}), faults: [] },
  /** Deletes the stored profile data; with `prohibit` nothing is stored afterwards either. */
  deleteProfile: {
    input: z.object({ ...linkedSubject, prohibit: z.boolean() }),
    output: z.object({}),
    faults: [],
  },
})
