import type { Knex } from 'knex'
import type { Handlers } from '#bus'
import type { friendshipContract } from '#contracts'
import type { Reader } from '#database'
import type { ServiceClients } from './bus.ts'

/** The dependencies of handlers. */
export interface Deps {
  readonly knex: Knex
  readonly reader: Reader
  readonly provider_auth: ServiceClients['provider_auth']
}

export type FriendshipHandlers = Handlers<typeof friendshipContract, Deps>
