import { z } from 'zod'
import { Slug, Text, Timestamp } from '../scalars.ts'
import { adminFaultNames, adminProcedures } from './procedure.ts'

/**
 * How a change ended: `refused` changed nothing; of one that is `not_recorded` it is not known whether it was done, as whoever
 * was to do it gave no answer, the trail could not be written, or it is still under way.
 */
export const auditOutcomes = ['done', 'refused', 'not_recorded'] as const
const Outcome = z.enum(auditOutcomes)

/** A change: what, by whom, from where; before and after without secrets. One that is not done tells what was asked for. */
export const AuditEntry = z.object({
  entry: z.string(),
  at: Timestamp,
  /** The procedure, e.g. `issueApiKey`. */
  act: z.string(),
  account: Slug.nullable(),
  site_id: Slug.nullable(),
  /** A member's or a token's name, which others may have too. */
  actor: z.string(),
  /** Whose the name is: a member's, a token's, or of neither, who worked on the database itself. */
  member_id: z.uuid().nullable(),
  token_id: z.uuid().nullable(),
  address: z.string(),
  request_id: z.string(),
  outcome: Outcome,
  /** Of a refused one: why. */
  fault: z.enum(adminFaultNames).nullable(),
  before: z.unknown(),
  after: z.unknown(),
})

const filter = {
  site_id: Slug.optional(),
  act: Text.max(64).optional(),
  actor: Text.max(100).optional(),
  outcome: Outcome.optional(),
  since: Timestamp.optional(),
  until: Timestamp.optional(),
  /** The last entry of the page before. */
  after: Text.optional(),
  limit: z.coerce.number().pipe(z.int().min(1).max(1_000)).default(50),
} as const

export const auditProcedures = adminProcedures({
  listAudit: {
    method: 'GET',
    path: '/accounts/{account}/audit',
    summary: 'Changes in an account and reads of users’ personal data, newest first',
    role: 'viewer',
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
