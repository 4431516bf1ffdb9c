import { z } from 'zod'
import { userDataKindNames } from '../retention/user-data.ts'
import { Identifier, Slug, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { AdminUserReference } from './users.ts'

const Kind = z.enum(userDataKindNames)

/** What is stored of one kind about a user. */
export const HeldSection = z.object({
  kind: Kind,
  /** The service that stores it. */
  service: z.string(),
  holds: z.string(),
  /** How long it is kept, and what ends it. */
  kept: z.string(),
  /** The oldest time in the records; null: none has a time. */
  since: Timestamp.nullable(),
  /** Empty: nothing of this kind is stored. */
  records: z.array(z.record(z.string(), z.unknown())),
  /** Whether there can be more: the response has as many records of a kind as it may have. */
  more: z.boolean(),
})

export const heldDataProcedures = adminProcedures({
  readHeldData: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/held-data',
    summary:
      'Everything that all services store about a user, without values of tokens; of each kind, what it is, since when and how long it is kept. Each read is recorded in the audit trail',
    role: 'editor',
    returnsPersonalData: true,
    input: AdminUserReference,
    output: z.object({
      account: Slug,
      site_id: Slug,
      identifier: Identifier,
      read_at: Timestamp,
      sections: z.array(HeldSection),
      /** Kinds that are missing because their service is unavailable. */
      unavailable: z.array(Kind),
    }),
  },
})
