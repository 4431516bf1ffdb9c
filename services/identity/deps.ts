import type { Knex } from 'knex'
import type { Handlers } from '#bus'
import type { identityContract } from '#contracts'
import type { Logger } from '#runtime'
import type { ServiceClients } from './bus.ts'
import type { IdentityOutbox } from './outbox.ts'
import type { ResolvedUser, UserLookup } from './store/user-lookup.ts'

/** The dependencies of handlers. */
export interface Deps {
  readonly knex: Knex
  /** Finds a user with links. Look-ups of one turn of the event loop share one statement. */
  readonly findUser: (wanted: UserLookup) => Promise<ResolvedUser | undefined>
  readonly outbox: IdentityOutbox
  readonly provider_auth: Pick<ServiceClients['provider_auth'], 'prepareCallbackRules'>
  /** Notifies the gateways that sites changed up to a revision. */
  readonly publishSitesChanged: (revision: number) => void
  readonly logger: Logger
}

export type IdentityHandlers = Handlers<typeof identityContract, Deps>
