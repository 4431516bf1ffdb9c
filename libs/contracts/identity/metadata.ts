import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { MetadataPart, StoredMetadata } from '../objects/metadata.ts'
import { MetadataSchemas } from '../objects/metadata-schema.ts'
import { MetadataSearchSetting, MetadataSearchState } from '../objects/metadata-search.ts'
import { Count, Identifier, PreciseTimestamp, Site, Text } from '../scalars.ts'
import { command, named } from './users.ts'

/** The metadata of users. */
export const metadataProcedures = {
  /** The metadata of a user; empty with revision 0 if none was ever written. */
  readMetadata: {
    input: z.object(named),
    output: StoredMetadata.extend({ identifier: Identifier }),
    faults: ['entity_not_found', 'invalid_parameter'],
    repeatable: true,
  },
  /** The metadata of users by identifier; users without any are absent. */
  readMetadataOfUsers: {
    input: z.object({ site: Site, identifiers: z.array(Identifier).max(100) }),
    output: z.object({ metadata: z.record(Identifier, StoredMetadata) }),
    faults: [],
    repeatable: true,
    mayBeStale: true,
  },
  /**
   * Changes the given parts of a user's metadata: by JSON Merge Patch (RFC 7396), or with `replace` to exactly the given value.
   * Nothing is written if both parts are as before.
   */
  changeMetadata: {
    input: z.object({
      ...named,
      user_metadata: MetadataPart.optional(),
      app_metadata: MetadataPart.optional(),
      replace: z.boolean(),
      /** The revision that the change is based on. */
      expected_revision: Count.optional(),
      command,
    }),
    /** A repeat returns the metadata as it is now. */
    output: StoredMetadata.extend({ identifier: Identifier }),
    /**
     * In the order of the checks. `changed_meanwhile`: the metadata has another revision. `metadata_too_large`: both parts would
     * have more than `metadata_bytes`. `metadata_invalid`: a changed part does not match the schema of the site; `fields` has
     * the part and the result of `formatViolation`.
     */
    faults: ['entity_not_found', 'invalid_parameter', 'changed_meanwhile', 'metadata_too_large', 'metadata_invalid'],
    repeatable: true,
  },
  /**
   * Patches `user_metadata` (RFC 7396) for an application to which the user logged in. Nothing is written if it is as before. This
   * procedure cannot read or change `app_metadata`, which only the customer's server writes.
   */
  changeUserMetadata: {
    input: z.object({
      site: Site,
      identifier: Identifier,
      user_metadata: MetadataPart,
      expected_revision: Count.optional(),
      /** The application, and when identity recorded the login that allows the change. */
      client_id: Text,
      recorded_at: PreciseTimestamp,
      command,
    }),
    /** A repeat returns the metadata as it is now. */
    output: StoredMetadata.omit({ app_metadata: true }),
    /** In the order of the checks. `user_blocked`: the login has ended. The others are as for `changeMetadata`. */
    faults: ['entity_not_found', 'user_blocked', 'changed_meanwhile', 'metadata_too_large', 'metadata_invalid'],
    repeatable: true,
  },
  /** The schemas of a site; revision 0 if none was ever saved. */
  readMetadataSchemas: { input: z.object({ site: Site }), output: MetadataSchemas, faults: [], repeatable: true },
  /**
   * Changes the given schemas; null removes one. Metadata that is stored already is not validated. `invalid_parameter`: a schema
   * cannot be used; `fields` has its place and the problem.
   */
  changeMetadataSchemas: {
    input: MetadataSchemas.omit({ revision: true }).partial().extend({ site: Site, expected_revision: Count }),
    output: MetadataSchemas,
    faults: ['entity_not_found', 'changed_meanwhile', 'invalid_parameter'],
  },
  readMetadataSearch: { input: z.object({ site: Site }), output: MetadataSearchState, faults: [], repeatable: true },
  /** Changes by which values of metadata lists can be filtered, and starts to index stored metadata. */
  changeMetadataSearch: {
    input: MetadataSearchSetting.extend({ site: Site, expected_revision: Count }),
    output: MetadataSearchState,
    faults: ['changed_meanwhile', 'entity_not_found'],
  },
} as const satisfies Record<string, Procedure>
