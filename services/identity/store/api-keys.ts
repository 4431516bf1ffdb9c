import type { Knex } from 'knex'

export interface NewApiKey {
  readonly api_key_id: string
  readonly site: number
  readonly name: string
  readonly key_hash: string
  readonly last_four: string
}

export async function countLiveApiKeys(trx: Knex.Transaction, site: number): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ live: number }] }>(
    'select count(*) as live from api_keys where site = ? and revoked_at is null',
    [site],
  )
  return rows[0].live
}

export async function insertApiKey(trx: Knex.Transaction, key: NewApiKey): Promise<void> {
  await trx('api_keys').insert(key)
}

/**
 * Revokes a key of the site; one that was revoked before stays as it was.
 *
 * @returns false when the site has no such key
 */
export async function updateToRevoked(
  trx: Knex.Transaction,
  { site, api_key_id }: { site: number; api_key_id: string },
): Promise<boolean> {
  const updated = await trx('api_keys')
    .where({ site, api_key_id })
    .update({ revoked_at: trx.raw('coalesce(revoked_at, now())') })
  return updated > 0
}
