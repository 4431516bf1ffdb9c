import type { Knex } from 'knex'
import type { Handlers } from '#bus'
import type { profileContract } from '#contracts'
import type { Reader } from '#database'
import type { Encryptor } from '#runtime'
import type { SearchKeys } from './search-keys.ts'
import type { StoreTools } from './store/store-tools.ts'

/** The dependencies of handlers. */
export interface Deps extends StoreTools {
  readonly knex: Knex
  readonly reader: Reader
  readonly searchKeys: SearchKeys
  /** Encrypts the keys of personal data and of search terms. */
  readonly encryptor: Pick<Encryptor, 'encrypt' | 'decrypt'>
}

export type ProfileHandlers = Handlers<typeof profileContract, Deps>
