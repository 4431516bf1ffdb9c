import type { JWK } from 'jose'
import type { Knex } from 'knex'
import type { EncryptedTable } from '#database'
import { DecryptionError, type EncryptionContext, type Encryptor } from '#runtime'
import type { SigningAlgorithm } from '../domain/signing-algorithms.ts'

export interface StoredKey {
  readonly kid: string
  readonly alg: SigningAlgorithm
  readonly public_jwk: JWK
  /** Decrypted. */
  readonly private_jwk: JWK
}

/** Advisory lock number; no other lock of this database uses it. */
const lockNumber = 7_305_101

/** Locks the set of keys, so that one process at a time changes it. */
export async function lockSigningKeys(trx: Knex.Transaction): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?)', [lockNumber])
}

/** A key and its state, by the database's clock. */
export interface ListedKey extends Omit<StoredKey, 'private_jwk'> {
  /** Decrypted; undefined if it is damaged. Tokens that it signed can still be verified. */
  readonly private_jwk: JWK | undefined
  readonly signs_since: Date
  readonly published: boolean
  readonly may_sign: boolean
  /** Withdrawn, or scheduled to be. */
  readonly retiring: boolean
}

/**
 * All keys, including withdrawn ones, the latest to sign first.
 *
 * @throws DecryptionError `unknown_key`
 */
export async function listSigningKeys({
  knex,
  encryptor,
}: {
  readonly knex: Knex
  readonly encryptor: Encryptor
}): Promise<ListedKey[]> {
  const rows: (Omit<ListedKey, 'private_jwk'> & { private_jwk: Buffer })[] = await knex('signing_keys')
    .orderBy([{ column: 'activates_at', order: 'desc' }, 'kid'])
    .select(
      'kid',
      'alg',
      'public_jwk',
      'private_jwk',
      'activates_at as signs_since',
      knex.raw('(withdrawn_at is null or withdrawn_at > now()) as published'),
      knex.raw('(activates_at <= now() and (withdrawn_at is null or withdrawn_at > now())) as may_sign'),
      knex.raw('withdrawn_at is not null as retiring'),
    )
  // Written by insertSigningKey and authenticated by the encryption.
  return Promise.all(
    rows.map(async (row) => {
      try {
        return {
          ...row,
          private_jwk: JSON.parse(await encryptor.decrypt(row.private_jwk, encryptionContextOf(row))) as JWK,
        }
      } catch (error) {
        if (!(error instanceof DecryptionError) || error.failure === 'unknown_key') throw error
        return { ...row, private_jwk: undefined }
      }
    }),
  )
}

/** Publishes a key that signs immediately, or after a delay. */
export async function insertSigningKey(
  trx: Knex.Transaction,
  encryptor: Encryptor,
  key: StoredKey,
  aheadSeconds = 0,
): Promise<void> {
  await trx('signing_keys').insert({
    ...key,
    public_jwk: JSON.stringify(key.public_jwk),
    private_jwk: encryptor.encrypt(JSON.stringify(key.private_jwk), encryptionContextOf(key)),
    activates_at: trx.raw('now() + make_interval(secs => ?)', [aheadSeconds]),
  })
}

/** Schedules the withdrawal of every key that is not already scheduled. */
export async function retireSigningKeys(trx: Knex.Transaction, afterSeconds: number): Promise<void> {
  await trx('signing_keys')
    .whereNull('withdrawn_at')
    .update({ withdrawn_at: trx.raw('now() + make_interval(secs => ?)', [afterSeconds]) })
}

/** Activates a published key immediately. */
export async function activateSigningKey(trx: Knex.Transaction, kid: string): Promise<void> {
  await trx('signing_keys').where({ kid }).update({ activates_at: trx.fn.now() })
}

export async function deleteSigningKey(trx: Knex.Transaction, kid: string): Promise<void> {
  await trx('signing_keys').where({ kid }).delete()
}

/** The algorithms that have a key. */
export async function listKeyAlgorithms(knex: Knex): Promise<SigningAlgorithm[]> {
  return knex('signing_keys').whereNull('withdrawn_at').distinct().pluck('alg')
}

function encryptionContextOf({ kid }: Pick<StoredKey, 'kid'>): EncryptionContext {
  return ['signing_keys', kid, 'private_jwk']
}

export const encryptedSigningKeys: EncryptedTable<Pick<StoredKey, 'kid'>> = {
  table: 'signing_keys',
  key: ['kid'],
  columns: ['private_jwk'],
  encryptionContextOf,
}
