import type { Knex } from 'knex'
import type { Handlers } from '#bus'
import type { identity } from '#contracts'
import type { Logger } from '#runtime'
import type { ServiceClients } from './bus.ts'
import type { Outbox } from './outbox.ts'
import type { ResolvedUser, UserLookup } from './store/user-lookup.ts'

/** What the service's parts are given to work with. */
export interface Deps {
  readonly knex: Knex
  /** Finds a user with the links; look-ups of one turn of the event loop share one statement. */
  readonly findUser: (wanted: UserLookup) => Promise<ResolvedUser | undefined>
  readonly outbox: Outbox
  readonly provider_auth: Pick<ServiceClients['provider_auth'], 'prepareCallbackRules'>
  /** Tells the gateways that sites changed up to a revision. */
  readonly publishSitesChanged: (revision: number) => void
  readonly logger: Logger
}

export type IdentityHandlers = Handlers<typeof identity, Deps>
