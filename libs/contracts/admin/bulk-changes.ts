import { z } from 'zod'
import { limits } from '../limits.ts'
import { MetadataPart, metadataParts } from '../objects/metadata.ts'
import { UserBlock } from '../objects/user-block.ts'
import { userFilter, userFilterHelp } from '../objects/user-filter.ts'
import { Provider } from '../providers.ts'
import { Count, Identifier, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

/** What a bulk change does with each user. */
export const bulkActions = ['block', 'unblock', 'end_sessions', 'unlink', 'change_metadata', 'delete'] as const

/** A user that could not be changed, and why. */
export const BulkFailure = z.object({
  identifier: Identifier,
  reason: z.enum(['last_provider', 'metadata_too_large', 'metadata_invalid']),
})
export type BulkFailure = z.infer<typeof BulkFailure>

export const BulkChange = z.object({
  change_id: z.uuid(),
  action: z.enum(bulkActions),
  ...userFilter,
  /** The number of users if the change is for identifiers instead of a filter. */
  selected: Count.nullable(),
  /** Of `unlink`. */
  unlinked_provider: Provider.nullable(),
  state: z.enum(['scheduled', 'running', 'done', 'canceled']),
  /** Users found so far, and what became of them. `unchanged`: the action does not apply, or the user was deleted meanwhile. */
  found: Count,
  changed: Count,
  unchanged: Count,
  failed: Count,
  requested_by: z.string(),
  requested_at: Timestamp,
  /** Until then, the change can be canceled with no effect. */
  starts_at: Timestamp,
  ended_at: Timestamp.nullable(),
})
export type BulkChange = z.infer<typeof BulkChange>

const BulkChangeReference = SiteReference.extend({ change_id: z.uuid() })
const path = '/accounts/{account}/sites/{site_id}/bulk-changes'

export const bulkChangeProcedures = adminProcedures({
  listBulkChanges: {
    method: 'GET',
    path,
    summary: 'Bulk changes of users, newest first, with their progress',
    role: 'viewer',
    input: SiteReference,
    output: z.object({ changes: z.array(BulkChange) }),
  },
  previewBulkChange: {
    method: 'POST',
    path: `${path}/preview`,
    summary: 'Count the users that a bulk change is for. Nothing is changed',
    role: 'owner',
    readOnly: true,
    help: userFilterHelp,
    input: SiteReference.extend(userFilter),
    /** `complete`: whether `users` is the number; otherwise there are at least so many. */
    output: z.object({ users: Count, complete: z.boolean() }),
  },
  requestBulkChange: {
    method: 'POST',
    path,
    summary: 'Change all users that match a filter, or up to 1,000 given ones, in the background',
    role: 'owner',
    sensitive: true,
    personalFields: ['block_reason', 'metadata', ...metadataParts],
    lossless: true,
    form: 'bulk_change',
    help: {
      action: 'what is done with each user',
      identifiers: 'identifiers of up to 1,000 users, instead of a filter',
      user_metadata: 'change_metadata: a file of JSON or YAML; changes members, null deletes them',
      app_metadata: 'change_metadata: a file of JSON or YAML; changes members, null deletes them',
      ...userFilterHelp,
    },
    input: SiteReference.extend({
      action: z.enum(bulkActions),
      ...userFilter,
      /** Instead of a filter. */
      identifiers: z.array(Identifier).min(1).max(limits.bulk_identifiers).optional(),
      block_reason: UserBlock.shape.reason.default(null),
      block_until: UserBlock.shape.until.default(null),
      unlinked_provider: Provider.optional(),
      user_metadata: MetadataPart.optional(),
      app_metadata: MetadataPart.optional(),
      /** When the change starts. Default: deletions after a day, other changes at once. */
      starts_at: Timestamp.optional(),
    }),
    output: BulkChange,
    faults: { conflict: 'The site has too many bulk changes that have not ended.' },
  },
  readBulkChange: {
    method: 'GET',
    path: `${path}/{change_id}`,
    summary: 'A bulk change with its progress and the users that could not be changed',
    role: 'viewer',
    input: BulkChangeReference,
    output: z.object({
      change: BulkChange,
      /** The first ones, in the order in which they failed. */
      failures: z.array(BulkFailure),
    }),
  },
  cancelBulkChange: {
    method: 'DELETE',
    path: `${path}/{change_id}`,
    summary: 'Cancel a bulk change. Up to 100 users in progress are still changed; changed users stay changed',
    role: 'owner',
    input: BulkChangeReference,
    output: BulkChange,
  },
})
