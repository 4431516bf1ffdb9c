import type { JWK } from 'jose'
import type { Knex } from 'knex'
import type { Place, Sealer } from '#runtime'
import type { SigningAlgorithm } from '../keys/signing-keys.ts'

export interface StoredKey {
  readonly kid: string
  readonly alg: SigningAlgorithm
  readonly public_jwk: JWK
  /** Opened. */
  readonly private_jwk: JWK
}

/** Any number that no other advisory lock of this database has. */
const lock_number = 7_305_101

/** One process at a time decides which keys there are. */
export async function lockSigningKeys(trx: Knex.Transaction): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?)', [lock_number])
}

/** Keys that are published, the latest to sign first; `may_sign` is judged by the database's clock. */
export async function listPublishedKeys({
  knex,
  sealer,
}: {
  readonly knex: Knex
  readonly sealer: Sealer
}): Promise<(StoredKey & { readonly may_sign: boolean })[]> {
  const rows: (Omit<StoredKey, 'private_jwk'> & { private_jwk: Buffer; may_sign: boolean })[] = await knex(
    'signing_keys',
  )
    .whereRaw('withdrawn_at is null or withdrawn_at > now()')
    .orderBy([{ column: 'activates_at', order: 'desc' }, 'kid'])
    .select('kid', 'alg', 'public_jwk', 'private_jwk', knex.raw('activates_at <= now() as may_sign'))
  // Written by insertSigningKey, and the seal vouches for it.
  return rows.map((row) => ({ ...row, private_jwk: JSON.parse(sealer.open(row.private_jwk, placeOf(row.kid))) as JWK }))
}

/** Publishes a key that signs at once. */
export async function insertSigningKey(trx: Knex.Transaction, sealer: Sealer, key: StoredKey): Promise<void> {
  await trx('signing_keys').insert({
    ...key,
    public_jwk: JSON.stringify(key.public_jwk),
    private_jwk: sealer.seal(JSON.stringify(key.private_jwk), placeOf(key.kid)),
    activates_at: trx.fn.now(),
  })
}

/** Algorithms that have a key. */
export async function listKeyAlgorithms(knex: Knex): Promise<SigningAlgorithm[]> {
  return knex('signing_keys').whereNull('withdrawn_at').distinct().pluck('alg')
}

function placeOf(kid: string): Place {
  return ['signing_keys', kid, 'private_jwk']
}
