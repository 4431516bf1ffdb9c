import type { Knex } from 'knex'
import type { z } from 'zod'
import type { AdminApi, AdminProcedureName, Role } from '#admin-api'
import type { Call } from '#bus'
import type { Deps } from '../deps.ts'

/** Who does it, from where. Whether they may was checked before, by the account of the path. */
export interface Actor {
  /** The member's or the token's name. */
  readonly name: string
  /** The member; of a token undefined. */
  readonly member_id: string | undefined
  /** The token; of a member undefined. */
  readonly token_id: string | undefined
  /** The session the member is signed in by. */
  readonly session_id: string | undefined
  /** May do everything in every account. */
  readonly operator: boolean
  /** The role in each account. */
  readonly roles: ReadonlyMap<string, Role>
  /** Until when sensitive acts need no passkey again. */
  readonly confirmed_until: Date | undefined
  readonly address: string
  readonly request_id: string
  readonly call: Call
  /**
   * Tells the audit trail what a change changed; secrets are masked by their names. Without it the entry has what was sent as
   * `after`, or of a DELETE as `before`. It is written down once the change is done.
   */
  readonly audit: (before: unknown, after: unknown) => void
  /** As `audit`, of a change of the console's own database: written down in its transaction, as its last statement. */
  readonly auditIn: (trx: Knex.Transaction, before: unknown, after: unknown) => Promise<void>
}

/** The revision a change of something versioned expects (`If-Match`); other procedures have none. */
type Expecting<N extends AdminProcedureName> = AdminApi[N] extends {
  method: 'PUT' | 'PATCH' | 'DELETE'
  versioned: true
}
  ? { readonly expected_revision: number }
  : unknown

/**
 * Does what an admin procedure says. Throws `AdminFault`. Of an asked service's `Fault`, `unavailable`, `entity_not_found`,
 * `invalid_parameter`, `changed_meanwhile` and `already_exists` are told as `unavailable`, `not_found`, `invalid_request` with
 * the fields it names, `changed_meanwhile` and `conflict`; any other must be translated.
 */
export type Run<N extends AdminProcedureName> = (
  input: z.output<AdminApi[N]['input']>,
  deps: Deps,
  actor: Actor & Expecting<N>,
) => Promise<z.input<AdminApi[N]['output']>>

/** The runs of a group of procedures, each by its name. */
export type Runs<N extends AdminProcedureName> = { readonly [K in N]: Run<K> }
