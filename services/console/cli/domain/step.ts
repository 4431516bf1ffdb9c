import type { z } from 'zod'
import type { AdminApi, AdminProcedureName } from '#admin-api'
import type { SecretReference } from './secret-reference.ts'

/** The change of a field; `before` is undefined for a new resource. */
export interface Change {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** A secret that the step sends, with its path in the input. */
export interface SecretUse {
  readonly path: readonly [string, ...string[]]
  readonly reference: SecretReference
  readonly why: string
}

type ChangeProcedure = {
  [N in AdminProcedureName]: AdminApi[N]['method'] extends 'GET' ? never : N
}[AdminProcedureName]

/** One call of the Admin API. */
export interface StepOf<N extends ChangeProcedure> {
  readonly procedure: N
  readonly kind: 'create' | 'change' | 'remove'
  /** The changed resource, for example `client demo/shop/Web`. */
  readonly subject: string
  /** Path of the resource in the files. */
  readonly path: string
  readonly input: z.input<AdminApi[N]['input']>
  /** Revision of the resource when it was read; undefined if it has none or does not exist yet. */
  readonly revision?: number
  readonly secrets?: readonly SecretUse[]
  readonly changes: readonly Change[]
  /** The response contains a secret that is returned only once. */
  readonly returns_secret?: boolean
}

export type PlanStep = { [N in ChangeProcedure]: StepOf<N> }[ChangeProcedure]

export interface Plan {
  /** In the order of execution. */
  readonly steps: readonly PlanStep[]
  /** Remarks about resources that no step changes. */
  readonly notes: readonly string[]
  /** The number of secrets in the files that are already stored and not sent. They cannot be compared. */
  readonly unsent_secrets?: number
}

export interface PlanOptions {
  /** Remove clients, webhooks, API keys and hosts that are not in the files. */
  readonly prune: boolean
  /** Send secrets that are already stored, because they cannot be compared. */
  readonly update_secrets: boolean
}

/** The desired state cannot be reached. The message has the path and says what to do. */
export class PlanError extends Error {
  override readonly name = 'PlanError'
}
