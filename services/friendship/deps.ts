import type { Knex } from 'knex'
import type { Client, Handlers } from '#bus'
import type { friendship, providerAuth } from '#contracts'
import type { Status, User } from './statuses.ts'

/** What the service's parts are given to work with. */
export interface Deps {
  readonly knex: Knex
  /** Look-ups of one turn of the event loop share one statement. */
  readonly findStatus: (user: User) => Promise<Status | undefined>
  readonly provider_auth: Pick<Client<typeof providerAuth>, 'askFriendStatus'>
}

export type FriendshipHandlers = Handlers<typeof friendship, Deps>
