import { z } from 'zod'
import { Identifier, Slug, Text, Timestamp } from '../scalars.ts'
import { adminFaultNames, adminProcedures } from './procedure.ts'

/**
 * Outcome of a change. `rejected`: nothing changed. `unknown`: the service that makes the change did not respond, the outcome could
 * not be written, or the change is still in progress.
 */
export const auditOutcomes = ['succeeded', 'rejected', 'unknown'] as const
const Outcome = z.enum(auditOutcomes)

/**
 * Who did something. `end_user`: a user with the own account, on the account page or while logging in. `system`: a command that
 * runs next to the database, or the console itself.
 */
export const actorKinds = ['member', 'token', 'end_user', 'system'] as const
export type ActorKind = (typeof actorKinds)[number]

/** A change: what, who and from where; before and after without secrets. Unless it succeeded, `before` and `after` have the input. */
export const AuditEntry = z.object({
  entry: z.string(),
  at: Timestamp,
  /** The procedure, for example `issueApiKey`, or the action of an end user, for example `downloadOwnData`. */
  action: z.string(),
  account: Slug.nullable(),
  site_id: Slug.nullable(),
  /**
   * The name of a member or a token; `end user` of the user whose `identifier` is in `after`; `console` or `command line` of the
   * system. Names are not unique.
   */
  actor: z.string(),
  actor_kind: z.enum(actorKinds),
  /** The actor's ID: a member, a token, or neither. */
  member_id: z.uuid().nullable(),
  token_id: z.uuid().nullable(),
  /** Null: an end user, whose address is not stored. */
  address: z.string().nullable(),
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
  actor_kind: z.enum(actorKinds).optional(),
  /** Entries about this user, also of the user's own actions. */
  identifier: Identifier.optional(),
  outcome: Outcome.optional(),
  since: Timestamp.optional(),
  until: Timestamp.optional(),
  /** The last entry of the previous page. */
  after: Text.optional(),
  limit: z.coerce.number().pipe(z.int().min(1).max(1_000)).default(50),
} as const

const help = {
  actor_kind: 'only entries of this kind of actor; end_user: users with their own accounts',
  identifier: 'only entries about this user, also of the user’s own actions',
} as const

export const auditProcedures = adminProcedures({
  listAudit: {
    method: 'GET',
    path: '/accounts/{account}/audit',
    summary:
      'Changes in an account, reads of users’ personal data, and actions of end users with their own accounts; newest first',
    role: 'viewer',
    limitedToSites: true,
    help,
    input: z.object({ account: Slug, ...filter }),
    output: z.object({ entries: z.array(AuditEntry), more: z.boolean() }),
  },
  listWholeAudit: {
    method: 'GET',
    path: '/audit',
    summary: 'Audit trail of all accounts and of changes outside accounts, such as to operators; newest first',
    role: 'operator',
    help,
    input: z.object({ account: Slug.optional(), ...filter }),
    output: z.object({ entries: z.array(AuditEntry), more: z.boolean() }),
  },
})
