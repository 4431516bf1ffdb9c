import { createHmac, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { DecryptionError, type EncryptionContext, type Encryptor } from '#runtime'
import { listSearchKeys, type StoredSearchKey } from './store/search-keys.ts'

/** The key of the terms of a site, which no other site and no other version has. */
export type SearchKey = Buffer

const keyBytes = 32
/** Keys in memory, about 1 MB. Our choice. */
const maximumKeys = 10_000

/** Creates the keys of search terms and reads them; the database has them encrypted with the key ring. */
export interface SearchKeys {
  readonly createKey: (site: number, version: number) => StoredSearchKey
  /** The keys of a site by version, without those whose encryption key is lost. */
  readonly findKeys: (executor: Knex, site: number) => Promise<ReadonlyMap<number, SearchKey>>
  /** A key that is encrypted with the current key of the ring begins with this. */
  readonly head: () => Buffer
}

/** The encryption context of a key of search terms. */
export function searchKeyContextOf({ site, version }: Pick<StoredSearchKey, 'site' | 'version'>): EncryptionContext {
  return ['user_search_keys', site, version]
}

export function createSearchKeys(encryptor: Encryptor): SearchKeys {
  const cache = new Map<string, SearchKey>()
  const decrypt = async (stored: StoredSearchKey): Promise<SearchKey | undefined> => {
    const name = stored.key_encrypted.toString('base64')
    const cached = cache.get(name)
    if (cached !== undefined) return cached
    try {
      const key = Buffer.from(await encryptor.decrypt(stored.key_encrypted, searchKeyContextOf(stored)), 'base64')
      const [oldest] = cache.keys()
      if (cache.size >= maximumKeys && oldest !== undefined) cache.delete(oldest)
      cache.set(name, key)
      return key
    } catch (error) {
      // It is logged and counted. Logins go on, and the rotation replaces the key.
      if (error instanceof DecryptionError) return undefined
      throw error
    }
  }
  return {
    createKey(site, version) {
      const key = randomBytes(keyBytes).toString('base64')
      return { site, version, key_encrypted: encryptor.encrypt(key, searchKeyContextOf({ site, version })) }
    },
    async findKeys(executor, site) {
      const keys = new Map<number, SearchKey>()
      for (const stored of await listSearchKeys(executor, site)) {
        const key = await decrypt(stored)
        if (key !== undefined) keys.set(stored.version, key)
      }
      return keys
    },
    head: encryptor.head,
  }
}

/** The blind term of a text: the first 32 bits of its HMAC-SHA-256 (RFC 2104), as an integer of Postgres. */
export function blindTerm(key: SearchKey, text: string): number {
  return createHmac('sha256', key).update(text).digest().readInt32BE(0)
}
