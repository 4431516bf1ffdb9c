import { z } from 'zod'
import { Slug, Text, Timestamp } from '../scalars.ts'
import { adminFaultNames, adminProcedures } from './procedure.ts'

/**
 * Outcome of a change. `rejected`: nothing changed. `unknown`: the service that makes the change did not respond, the outcome could
 * not be written, or the change is still in progress.
 */
export const auditOutcomes = ['succeeded', 'rejected', 'unknown'] as const
const Outcome = z.enum(auditOutcomes)

/** A change: what, who and from where; before and after without secrets. Unless it succeeded, `before` and `after` have the input. */
export const AuditEntry = z.object({
  entry: z.string(),
  at: Timestamp,
  /** The procedure, for example `issueApiKey`. */
  action: z.string(),
  account: Slug.nullable(),
  site_id: Slug.nullable(),
  /** The name of a member or a token. Names are not unique. */
  actor: z.string(),
  /** The actor's ID: a member, a token, or neither for commands that run next to the database. */
  member_id: z.uuid().nullable(),
  token_id: z.uuid().nullable(),
  address: z.string(),
  request_id: z.string(),
  outcome: Outcome,
  /** Why the change was rejected. */
  fault: z.enum(adminFaultNames).nullable(),
  before: z.unknown(),
  after: z.unknown(),
})

const filter = {
  site_id: Slug.optional(),
  action: Text.max(64).optional(),
  actor: Text.max(100).optional(),
  outcome: Outcome.optional(),
  since: Timestamp.optional(),
  until: Timestamp.optional(),
  /** The last entry of the previous page. */
  after: Text.optional(),
  limit: z.coerce.number().pipe(z.int().min(1).max(1_000)).default(50),
} as const

export const auditProcedures = adminProcedures({
  listAudit: {
    method: 'GET',
    path: '/accounts/{account}/audit',
    summary: 'Changes in an account and reads of users’ personal data, newest first',
    role: 'viewer',
    limitedToSites: true,
    input: z.object({ account: Slug, ...filter }),
    output: z.object({ entries: z.array(AuditEntry), more: z.boolean() }),
  },
  listWholeAudit: {
    method: 'GET',
    path: '/audit',
    summary: 'Audit trail of all accounts and of changes outside accounts, such as to operators; newest first',
    role: 'operator',
    input: z.object({ account: Slug.optional(), ...filter }),
    output: z.object({ entries: z.array(AuditEntry), more: z.boolean() }),
  },
})
