import type { Knex } from 'knex'
import type { z } from 'zod'
import type { AdminApi, AdminProcedureName, Role, SiteRoles } from '#admin-api'
import type { Call } from '#bus'
import type { Deps } from '../deps.ts'

/** Who calls a procedure, and from where. Access was checked before, by the account of the path. */
export interface Actor {
  /** The member's or the token's name. */
  readonly name: string
  /** The member; undefined for a token. */
  readonly member_id: string | undefined
  /** The token; undefined for a member. */
  readonly token_id: string | undefined
  /** The member's session. */
  readonly session_id: string | undefined
  /** Operators have full access to every account. */
  readonly operator: boolean
  /** The role in each account, for all its sites. */
  readonly roles: ReadonlyMap<string, Role>
  /** Roles in single sites, by account and site_id. */
  readonly site_roles: ReadonlyMap<string, SiteRoles>
  /** Accounts with a role that the actor can enter only after signing in at the account's provider. */
  readonly provider_accounts: ReadonlySet<string>
  /** Until when sensitive changes need no new confirmation. */
  readonly confirmed_until: Date | undefined
  readonly address: string
  readonly request_id: string
  readonly call: Call
  /**
   * Sets what the audit entry contains; secrets are masked by their names. Without this call, the entry has the input as `after`, or as
   * `before` for a DELETE. The entry is completed after the change.
   */
  readonly audit: (before: unknown, after: unknown) => void
  /** Like `audit`, for changes of the console's own database: completes the entry in their transaction, as the last statement. */
  readonly auditIn: (trx: Knex.Transaction, before: unknown, after: unknown) => Promise<void>
}

/** The expected revision (`If-Match`) of a versioned resource; other procedures have none. */
export type ExpectedRevision<N extends AdminProcedureName> = AdminApi[N] extends {
  method: 'PUT' | 'PATCH' | 'DELETE'
  versioned: true
}
  ? { readonly expected_revision: number }
  : unknown

/**
 * Implements an admin procedure; throws `AdminFault`. These faults of called services are translated: `unavailable`, `entity_not_found`
 * to `not_found`, `invalid_parameter` to `invalid_request` with its fields, `changed_meanwhile` to `revision_mismatch`, and
 * `already_exists` to `conflict`. The handler must translate all others.
 */
export type AdminHandler<N extends AdminProcedureName> = (
  input: z.output<AdminApi[N]['input']>,
  deps: Deps,
  actor: Actor & ExpectedRevision<N>,
) => Promise<z.input<AdminApi[N]['output']>>

/** Handlers of several procedures, by name. `served-handlers.ts` has those that a service serves. */
export type AdminHandlers<N extends AdminProcedureName> = { readonly [K in N]: AdminHandler<K> }
