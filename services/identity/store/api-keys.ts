import type { Knex } from 'knex'
import { translateConstraintErrors } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'

/** An API key without its secret, of which only the hash is stored. */
export interface ApiKeyRecord {
  readonly api_key_id: string
  readonly name: string
  readonly last_four: string
  readonly brought_along: boolean
  readonly created_at: string
  readonly revoked_at: string | null
}

export interface NewApiKey {
  readonly api_key_id: string
  readonly site: number
  readonly name: string
  readonly key_hash: string
  readonly last_four: string
  readonly brought_along: boolean
}

/** The site's keys, including revoked ones, newest first. */
export async function selectApiKeys(knex: Knex, site: number): Promise<ApiKeyRecord[]> {
  const rows: (Omit<ApiKeyRecord, 'created_at' | 'revoked_at'> & { created_at: Date; revoked_at: Date | null })[] =
    await knex('api_keys')
      .where({ site })
      .orderBy('created_at', 'desc')
      .select('api_key_id', 'name', 'last_four', 'brought_along', 'created_at', 'revoked_at')
  return rows.map((row) => ({
    ...row,
    created_at: toTimestamp(row.created_at),
    revoked_at: toTimestampOrNull(row.revoked_at),
  }))
}

export async function countActiveApiKeys(trx: Knex.Transaction, site: number): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ live: number }] }>(
    'select count(*) as live from api_keys where site = ? and revoked_at is null',
    [site],
  )
  return rows[0].live
}

/** @throws Fault `already_exists` if any site has or had the key */
export async function insertApiKey(trx: Knex.Transaction, key: NewApiKey): Promise<void> {
  await translateConstraintErrors(trx('api_keys').insert(key), { api_keys_key_hash_unique: 'already_exists' })
}

/**
 * Marks a key of the site as revoked; idempotent.
 *
 * @returns false if the site has no such key
 */
export async function markApiKeyRevoked(
  trx: Knex.Transaction,
  { site, api_key_id }: { site: number; api_key_id: string },
): Promise<boolean> {
  const updated = await trx('api_keys')
    .where({ site, api_key_id })
    .update({ revoked_at: trx.raw('least(revoked_at, now())') })
  return updated > 0
}
