import type { Knex } from 'knex'
import type { Handlers } from '#bus'
import type { identityContract } from '#contracts'
import type { Reader } from '#database'
import type { Logger } from '#runtime'
import type { ServiceClients } from './bus.ts'
import type { ReadSiteSchemas } from './metadata-validation.ts'
import type { IdentityOutbox } from './outbox.ts'

/** The dependencies of handlers. */
export interface Deps {
  readonly knex: Knex
  readonly reader: Reader
  readonly outbox: IdentityOutbox
  readonly provider_auth: Pick<ServiceClients['provider_auth'], 'prepareCallbackRules'>
  /** Notifies the gateways that sites changed up to a revision. */
  readonly publishSitesChanged: (revision: number) => void
  readonly readSiteSchemas: ReadSiteSchemas
  readonly logger: Logger
}

export type IdentityHandlers = Handlers<typeof identityContract, Deps>
