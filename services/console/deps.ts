import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import type { Logger } from '#runtime'
import type { ServiceClients } from './bus.ts'
import type { Exporter } from './exports/exporter.ts'
import type { OperatorProvider } from './sign-in/provider.ts'

/** What the service's parts are given to work with. */
export interface Deps extends ServiceClients {
  readonly knex: Knex
  /** The public address of the console: where passkeys belong, and what links begin with. */
  readonly console_url: string
  /** Where members may sign in instead of by passkey. */
  readonly operator_provider: OperatorProvider | undefined
  /** A development machine: a sign-in link signs in without a passkey. */
  readonly development: boolean
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>
  /** How many proxies in front append to `X-Forwarded-For`. */
  readonly trusted_hops: number
  readonly exporter: Pick<Exporter, 'begin'>
  readonly now: () => Date
  readonly logger: Logger
  readonly registry: Registry
}
