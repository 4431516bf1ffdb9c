import type { Knex } from 'knex'
import { defineStatement, isNotFrozen } from '#database'

export interface StoredSearchKey {
  readonly site: number
  readonly version: number
  readonly key_encrypted: Buffer
}

const selectKeys = defineStatement<StoredSearchKey>(
  'select site, version, key_encrypted from user_search_keys where site = $1',
)

/** The keys of a site's terms: the current one, and the earlier one until no term is left of it. */
export async function listSearchKeys(knex: Knex, site: number): Promise<StoredSearchKey[]> {
  return (await selectKeys(knex, [site])).rows
}

export async function insertSearchKey(trx: Knex.Transaction, key: StoredSearchKey): Promise<void> {
  await trx('user_search_keys').insert({ ...key })
}

/** Deletes the keys of a site before a version. */
export async function deleteSearchKeysBefore(trx: Knex.Transaction, site: number, version: number): Promise<void> {
  await trx('user_search_keys').where({ site }).where('version', '<', version).delete()
}

/** Sites whose current key is not encrypted with the key of the ring whose values begin with `head`. */
export async function listSitesOfOtherKeys(knex: Knex, head: Buffer): Promise<number[]> {
  return knex('user_search')
    .join('user_search_keys', {
      'user_search.site': 'user_search_keys.site',
      'user_search.key_version': 'user_search_keys.version',
    })
    .whereRaw('substring(key_encrypted for ?) <> ?', [head.length, head])
    .whereRaw(isNotFrozen('user_search.site'))
    .pluck('user_search.site')
}
