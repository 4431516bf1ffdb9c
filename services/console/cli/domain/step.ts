import type { z } from 'zod'
import type { Account, AdminApi, AdminSite, ApiKey, Client, ProviderSettings } from '#admin-api'
import type { SecretReference } from './desired.ts'

/** A site as the console tells it. */
export interface ActualSite {
  readonly settings: AdminSite
  readonly clients: readonly z.infer<typeof Client>[]
  readonly providers: readonly z.infer<typeof ProviderSettings>[]
  readonly keys: readonly z.infer<typeof ApiKey>[]
}

export interface ActualAccount {
  readonly account: z.infer<typeof Account>
  readonly sites: ReadonlyMap<string, ActualSite>
}

/** Accounts by their slug. */
export type Actual = ReadonlyMap<string, ActualAccount>

/** What becomes of a field; `before` is undefined for something new. */
export interface Change {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** A secret that the step sends, at its path in the input. */
export interface SecretUse {
  readonly path: readonly [string, ...string[]]
  readonly reference: SecretReference
  readonly why: string
}

type Writing =
  | 'createAccount'
  | 'changeAccount'
  | 'createSite'
  | 'changeSite'
  | 'saveProviderSettings'
  | 'createClient'
  | 'changeClient'
  | 'removeClient'
  | 'issueApiKey'
  | 'revokeApiKey'

/** One procedure of the Admin API to be called. */
export interface StepOf<N extends Writing> {
  readonly procedure: N
  readonly kind: 'create' | 'change' | 'remove'
  /** What it is about, e.g. `client demo/shop/Web`. */
  readonly subject: string
  /** Where the files speak of it. */
  readonly path: string
  readonly input: z.input<AdminApi[N]['input']>
  /** That of the thing when it was looked at; undefined for what has none or is not there yet. */
  readonly revision?: number
  readonly secrets?: readonly SecretUse[]
  readonly changes: readonly Change[]
  /** Its answer tells a secret once. */
  readonly tells_secret?: boolean
}

export type Step = { [N in Writing]: StepOf<N> }[Writing]

export interface Plan {
  /** In the order in which they can be done. */
  readonly steps: readonly Step[]
  /** What a person should know of things that no step touches. */
  readonly notes: readonly string[]
  /** The number of secrets in the files that are already stored and not sent. They cannot be compared. */
  readonly unsent_secrets?: number
}

export interface PlanOptions {
  /** Remove clients and keys that the files do not have. */
  readonly prune: boolean
  /** Send secrets that are there already; whether they differ cannot be told. */
  readonly update_secrets: boolean
}

/** What the files want cannot be had; the message names the place and says what to do. */
export class Impossible extends Error {}
