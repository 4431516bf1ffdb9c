import type { Knex } from 'knex'
import type { Handlers } from '#bus'
import type { friendshipContract } from '#contracts'
import type { ServiceClients } from './bus.ts'
import type { Status } from './statuses.ts'

/** The dependencies of handlers. */
export interface Deps {
  readonly knex: Knex
  /** Look-ups of one turn of the event loop share one statement. */
  readonly findStatus: (linkId: string) => Promise<Status | undefined>
  readonly provider_auth: ServiceClients['provider_auth']
}

export type FriendshipHandlers = Handlers<typeof friendshipContract, Deps>
