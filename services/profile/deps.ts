import type { Knex } from 'knex'
import type { Handlers } from '#bus'
import type { profileContract } from '#contracts'
import type { Reader } from '#database'

/** The dependencies of handlers. */
export interface Deps {
  readonly knex: Knex
  readonly reader: Reader
}

export type ProfileHandlers = Handlers<typeof profileContract, Deps>
