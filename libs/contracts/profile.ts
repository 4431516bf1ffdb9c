import { z } from 'zod'
import { contract } from './define.ts'
import { Merge } from './objects/merge.ts'
import { CombinedProfile, ProviderData } from './objects/profile.ts'
import { ProfileNotStored } from './objects/site.ts'
import { Provider } from './providers.ts'
import { Count, Identifier, Moment, Site, Timestamp } from './scalars.ts'

const subject = { site: Site, identifier: Identifier }

export const profile = contract('profile', {
  /**
   * What of a site's users is not stored, from here on; what is stored of it is deleted in the background, and profiles are
   * combined anew. An older revision than the one known is ignored.
   */
  changeNotStored: {
    input: z.object({ site: Site, revision: Count, profile_not_stored: ProfileNotStored }),
    output: z.object({}),
    faults: [],
  },
  /** How far the deletion of what a site does not store any more has come; null: nothing is left to do. */
  readClearing: {
    input: z.object({ site: Site }),
    output: z.object({ clearing: z.object({ begun_at: Timestamp, users_looked_at: Count }).nullable() }),
    faults: [],
  },
  /** What the destination's profile would be after `mergeUsers`. Nothing is changed. */
  previewMerge: {
    input: Merge.omit({ merged_at: true }),
    output: CombinedProfile,
    faults: [],
  },
  /**
   * Keeps what a provider supplied at a login and combines it with the other providers'. Stores nothing for a user whose
   * storage is prohibited or who was forgotten. Ignored are data older than the provider's stored, those obtained before
   * the user's data were deleted or the provider was unlinked, and repeats. Data of a user who was merged go to the user
   * that remains.
   */
  recordProviderData: {
    input: z.object({ ...subject, provider: Provider, data: ProviderData, obtained_at: Moment }),
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
  /** What each of the providers supplied; a provider without stored data is absent. */
  readProviderData: {
    input: z.object({ ...subject, providers: z.array(Provider) }),
    output: z.object({ data: z.partialRecord(Provider, ProviderData) }),
    faults: [],
  },
  /**
   * Removes what providers supplied until they were unlinked, also what of it arrives later; with `rebuild` the rest is
   * combined anew.
   */
  removeProviders: {
    input: z.object({ ...subject, providers: z.array(Provider), unlinked_at: Moment, rebuild: z.boolean() }),
    output: z.object({}),
    faults: [],
  },
  /**
   * Moves what the providers supplied for the source to the destination, combined anew with `rebuild`, and forgets the
   * source. A prohibition is the destination's: if it has one nothing is moved, the source's ends with it.
   */
  mergeUsers: {
    input: Merge.extend({ rebuild: z.boolean() }),
    output: z.object({}),
    faults: [],
  },
  /** Allows storing again; nothing is stored until the next login. */
  grantProfile: { input: z.object(subject), output: z.object({}), faults: [] },
  /** Deletes the stored profile data; with `prohibit` nothing is stored afterwards either. */
  deleteProfile: {
    input: z.object({ ...subject, prohibit: z.boolean() }),
    output: z.object({}),
    faults: [],
  },
  /** Removes all there is about a deleted user, for good: what arrives later is not stored. */
  forgetUser: { input: z.object(subject), output: z.object({}), faults: [] },
})
