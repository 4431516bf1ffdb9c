import { z } from 'zod'
import { Slug, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'

/** A change: what, by whom, from where; before and after without secrets. */
export const AuditEntry = z.object({
  entry: z.string(),
  at: Timestamp,
  /** The procedure, e.g. `issueApiKey`. */
  act: z.string(),
  account: Slug.nullable(),
  site_id: Slug.nullable(),
  /** A member's or a token's name. */
  actor: z.string(),
  address: z.string(),
  request_id: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})

const filter = {
  site_id: Slug.optional(),
  act: z.string().max(64).optional(),
  actor: z.string().max(100).optional(),
  since: Timestamp.optional(),
  until: Timestamp.optional(),
  /** The last entry of the page before. */
  after: z.string().optional(),
  limit: z.coerce.number().pipe(z.int().min(1).max(1_000)).default(50),
} as const

export const auditProcedures = adminProcedures({
  listAudit: {
    method: 'GET',
    path: '/accounts/{account}/audit',
    summary: 'Every change in an account, newest first',
    role: 'viewer',
    input: z.object({ account: Slug, ...filter }),
    output: z.object({ entries: z.array(AuditEntry), more: z.boolean() }),
  },
  listWholeAudit: {
    method: 'GET',
    path: '/audit',
    summary: 'Every change in every account, and of no account, such as of operators; newest first',
    role: 'operator',
    input: z.object({ account: Slug.optional(), ...filter }),
    output: z.object({ entries: z.array(AuditEntry), more: z.boolean() }),
  },
})
