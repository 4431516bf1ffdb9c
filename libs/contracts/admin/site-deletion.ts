import { z } from 'zod'
import { limits } from '../limits.ts'
import { DeletedRows } from '../objects/site-deletion.ts'
import { Slug, Text, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

/**
 * `pending`: waits for the approval of a second person; `approved`: the site is about to be closed; `deleting`: it is closed, and its
 * data is deleted; `expired`: it was not approved in time.
 */
export const siteDeletionStates = ['pending', 'approved', 'deleting', 'deleted', 'canceled', 'expired'] as const
export type SiteDeletionState = (typeof siteDeletionStates)[number]

/** The services that delete data of a site, in their order. */
export const deletingServices = ['provider_auth', 'identity', 'profile', 'friendship', 'events', 'console'] as const
export type DeletingService = (typeof deletingServices)[number]

/** The last requested deletion of a site. */
export const SiteDeletion = z.object({
  state: z.enum(siteDeletionStates),
  reason: z.string().nullable(),
  /** Name of the member or token. */
  requested_by: z.string(),
  requested_at: Timestamp,
  /** Until when it can be approved. */
  expires_at: Timestamp,
  approved_by: z.string().nullable(),
  approved_at: Timestamp.nullable(),
  canceled_by: z.string().nullable(),
  canceled_at: Timestamp.nullable(),
  deleted_at: Timestamp.nullable(),
  /** The service that is deleting; null unless the state is `deleting`. */
  service: z.enum(deletingServices).nullable(),
  /** How many rows were deleted so far, by service and table. */
  deleted: z.partialRecord(z.enum(deletingServices), DeletedRows),
  /** Whether you can approve it; null: you can. Otherwise the name of the reason. */
  not_approvable_because: z
    .enum(['deletion_own_request', 'deletion_needs_owner', 'deletion_requester_removed', 'deletion_role_missing'])
    .nullable(),
})
export type SiteDeletion = z.infer<typeof SiteDeletion>

const days = limits.site_deletion_approval_seconds / 86_400
const deletion = z.object({ deletion: SiteDeletion })

export const siteDeletionProcedures = adminProcedures({
  readSiteDeletion: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/deletion',
    summary: 'The last requested deletion of a site and its progress, also after the site is deleted',
    role: 'viewer',
    input: SiteReference,
    /** Null: no deletion was requested. */
    output: z.object({ deletion: SiteDeletion.nullable() }),
  },
  requestSiteDeletion: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/deletion',
    summary: `Request the deletion of a site. Nothing is deleted until another owner approves it within ${days} days`,
    role: 'owner',
    sensitive: true,
    help: { reason: 'why, for the other owners and the audit trail' },
    input: SiteReference.extend({ confirm_site_id: Slug, reason: Text.trim().min(1).max(200).optional() }),
    output: deletion,
    faults: {
      invalid_request: 'confirm_site_id is not the ID of the site.',
      conflict: 'A deletion of the site is pending or approved already.',
    },
  },
  approveSiteDeletion: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/deletion/approve',
    summary: 'Approve the deletion that another owner requested. The site is closed and deleted permanently',
    role: 'owner',
    sensitive: true,
    input: SiteReference,
    output: deletion,
    faults: {
      not_allowed: 'You requested the deletion yourself, or an owner has to approve it.',
      not_found: 'No deletion of the site was requested.',
      conflict: 'The deletion was canceled or has expired, or the requester is no owner any more.',
    },
  },
  cancelSiteDeletion: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/deletion/cancel',
    summary: 'Cancel the requested deletion of a site before it is approved',
    role: 'owner',
    input: SiteReference,
    output: deletion,
    faults: { not_found: 'No deletion of the site was requested.', conflict: 'The deletion is approved already.' },
  },
})
