import type { Knex } from 'knex'
import type { Handlers } from '#bus'
import type { profileContract } from '#contracts'
import type { Reader } from '#database'
import type { SearchKeys } from './search-keys.ts'
import type { StoreTools } from './store/store-tools.ts'

/** The dependencies of handlers. */
export interface Deps extends StoreTools {
  readonly knex: Knex
  readonly reader: Reader
  readonly searchKeys: SearchKeys
}

export type ProfileHandlers = Handlers<typeof profileContract, Deps>
