import { z } from 'zod'
import { dataServices } from '../retention/data-kind.ts'
import { userDataKindNames } from '../retention/user-data.ts'
import { Count, Identifier, Slug, Timestamp } from '../scalars.ts'

/** What caused the deletion of a user. */
export const ErasureCause = z.enum(['web_api', 'admin_api', 'user_request', 'inactivity'])
export type ErasureCause = z.infer<typeof ErasureCause>

/** How many records of each kind were deleted. */
export const ErasedCounts = z.partialRecord(z.enum(userDataKindNames), Count)
export type ErasedCounts = z.infer<typeof ErasedCounts>

/** What a service deleted. */
export const ErasurePart = z.object({
  service: z.enum(dataServices),
  /** When the service had deleted it. */
  erased_at: Timestamp,
  deleted: ErasedCounts,
})
export type ErasurePart = z.infer<typeof ErasurePart>

/** The deletion of a user from all services: the claim `erasure` of a receipt. It has no personal data except the identifier. */
export const UserErasure = z.object({
  account: Slug,
  site_id: Slug,
  identifier: Identifier,
  requested_by: ErasureCause,
  requested_at: Timestamp,
  /** When the user was deleted; the services follow. */
  deleted_at: Timestamp,
  services: z.array(ErasurePart),
  retained: z.array(z.object({ kind: z.string(), holder: z.string(), holds: z.string(), kept: z.string() })),
})
export type UserErasure = z.infer<typeof UserErasure>

/** A public key of the OpenID Provider (RFC 7517). */
export const PublicKey = z.record(z.string(), z.unknown())

/** A deletion in a list. */
export const ErasureSummary = UserErasure.omit({ account: true, site_id: true, services: true, retained: true }).extend(
  {
    /** Null while services have not answered yet. */
    completed_at: Timestamp.nullable(),
  },
)
export type ErasureSummary = z.infer<typeof ErasureSummary>

/** A deletion with its receipt. */
export const ErasureState = ErasureSummary.extend({
  /** Services that have not answered yet. */
  pending: z.array(z.enum(dataServices)),
  /** A JWS in compact form, of type `erasure-receipt+jwt`; null until it is complete. */
  receipt: z.string().nullable(),
  /** The key that verifies the receipt, as a JSON Web Key Set; null with it. */
  jwks: z.object({ keys: z.array(PublicKey) }).nullable(),
})
