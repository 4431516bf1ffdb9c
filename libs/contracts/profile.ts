import { z } from 'zod'
import { availabilityNotice, defineContract } from './define.ts'
import { DeletedLinks } from './objects/deleted-links.ts'
import { Merge } from './objects/merge.ts'
import { prepareErasureProcedure } from './objects/prepare-erasure.ts'
import { CombinedProfile, ProviderData } from './objects/profile.ts'
import { ExcludedFields } from './objects/site.ts'
import { siteCopyProcedures } from './objects/site-copy.ts'
import { deleteSiteProcedure } from './objects/site-deletion.ts'
import { userSearchProcedures } from './profile/user-search.ts'
import { Provider } from './providers.ts'
import { Count, Identifier, LinkId, PreciseTimestamp, Site, Timestamp } from './scalars.ts'

const subject = { site: Site, identifier: Identifier }
/** A user with the IDs of all links. */
const linkedSubject = { ...subject, link_ids: z.array(LinkId) }
/** Identifies a command: a repeat has no further effect. */
const command = z.uuid()

export const profileContract = defineContract(
  'profile',
  {
    /**
     * Changes the profile fields that a site does not store. Stored values are deleted in the background, and profiles are
     * recombined. A revision older than the stored one is ignored.
     */
    changeExcludedFields: {
      input: z.object({ site: Site, revision: Count, profile_not_stored: ExcludedFields }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    /** Changes whether events of a site contain profiles. A revision older than the stored one is ignored. */
    changeEventSettings: {
      input: z.object({ site: Site, revision: Count, profile_in_events: z.boolean() }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    /** Progress of deleting the fields that a site no longer stores; null: nothing is left to delete. */
    readDeletionProgress: {
      input: z.object({ site: Site }),
      output: z.object({ deletion: z.object({ started_at: Timestamp, users_processed: Count }).nullable() }),
      faults: [],
      repeatable: true,
    },
    /** The profile that the destination would have after `mergeUsers`, without changing anything. */
    previewMerge: {
      input: Merge.omit({ merged_at: true }),
      output: CombinedProfile,
      faults: [],
      repeatable: true,
    },
    /**
     * Stores the data that a provider supplied at a login, and combines it with the data of the user's other providers.
     * Ignored if the user is deleted or the profile is prohibited, if newer data is stored, or if data of that time was
     * deleted. If the user was merged meanwhile, the data goes to the user that now has the link.
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
      repeatable: true,
    },
    /**
     * Stores imported data of links and prohibitions, combined as after logins. With `replace`, it replaces stored data; otherwise the
     * newer data remains. Ignored for users, links and data that were deleted after `recorded_at`.
     */
    importProfiles: {
      input: z.object({
        site: Site,
        recorded_at: PreciseTimestamp,
        replace: z.boolean(),
        users: z.array(
          z.object({
            identifier: Identifier,
            prohibited: z.boolean(),
            updated_at: PreciseTimestamp.optional(),
            update_count: Count.optional(),
            links: z.array(
              z.object({ link_id: LinkId, provider: Provider, data: ProviderData, obtained_at: PreciseTimestamp }),
            ),
          }),
        ),
      }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    readProfile: {
      input: z.object(subject),
      output: CombinedProfile.extend({ profile_prohibited: z.boolean() }),
      faults: [],
      repeatable: true,
    },
    /** Everything that is stored about users, as an export needs it; users without a profile are absent. */
    readStoredProfiles: {
      input: z.object({ site: Site, identifiers: z.array(Identifier).max(100) }),
      output: z.object({
        profiles: z.record(
          Identifier,
          CombinedProfile.extend({
            profile_prohibited: z.boolean(),
            /** By link. */
            data: z.record(LinkId, z.object({ data: ProviderData, obtained_at: PreciseTimestamp })),
          }),
        ),
      }),
      faults: [],
      repeatable: true,
      mayBeStale: true,
    },
    readProhibition: {
      input: z.object(subject),
      output: z.object({ profile_prohibited: z.boolean() }),
      faults: [],
      repeatable: true,
    },
    /** The stored data of each link; links without data are absent. */
    readProviderData: {
      input: z.object({ site: Site, link_ids: z.array(LinkId) }),
      output: z.object({ data: z.record(LinkId, ProviderData) }),
      faults: [],
      repeatable: true,
    },
    /**
     * Deletes the data that a provider supplied until a time, and recombines the profile. Data obtained before that time is
     * discarded if it arrives later.
     */
    deleteProviderData: {
      input: z.object({ site: Site, link_id: LinkId, obtained_until: PreciseTimestamp }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    /**
     * Deletes the data of links permanently. `combine` recombines the user's profile from the remaining links, `keep` leaves
     * it unchanged, `delete` deletes it because the user is deleted.
     */
    deleteLinks: {
      input: DeletedLinks.extend({ profile: z.enum(['combine', 'keep', 'delete']) }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    prepareErasure: prepareErasureProcedure,
    /**
     * Moves the data of links to the destination, recombines its profile if `combine` is set, and deletes the source. If the
     * destination's profile is prohibited, nothing is moved. A prohibition of the source is deleted with it.
     */
    mergeUsers: {
      input: Merge.extend({ combine: z.boolean() }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    /** Allows storing the profile again; nothing is stored until the next login. */
    grantProfile: {
      input: z.object({ ...linkedSubject, command }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    /** Deletes the stored profile data. With `prohibit`, none is stored afterwards. */
    deleteProfile: {
      input: z.object({ ...linkedSubject, prohibit: z.boolean(), command }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    /** Whether `grantProfile` or `deleteProfile` took effect with this command, until `stored_response_seconds` later. */
    readCommand: {
      input: z.object({ site: Site, command }),
      output: z.object({ done: z.boolean() }),
      faults: [],
      repeatable: true,
    },
    ...userSearchProcedures,
    deleteSite: deleteSiteProcedure,
    ...siteCopyProcedures,
  },
  availabilityNotice,
)
