import { transaction } from '#database'
import type { Deps } from '../../deps.ts'
import { signingAlgorithms } from '../../domain/signing-algorithms.ts'
import { insertSigningKey, listKeyAlgorithms, lockSigningKeys } from '../../store/signing-keys.ts'
import { generateSigningKey } from './generate.ts'

/** Creates the first key of each algorithm, once, no matter how many replicas start at the same time. */
export async function ensureSigningKeys({ knex, encryptor }: Pick<Deps, 'knex' | 'encryptor'>): Promise<void> {
  const present = await listKeyAlgorithms(knex)
  const missing = signingAlgorithms.filter((alg) => !present.includes(alg))
  if (missing.length === 0) return
  // Generated before the lock is taken, because finding primes can take longer than others may wait for the lock.
  const made = await Promise.all(missing.map(generateSigningKey))
  await transaction(knex, async (trx) => {
    await lockSigningKeys(trx)
    const present = await listKeyAlgorithms(trx)
    for (const key of made) if (!present.includes(key.alg)) await insertSigningKey(trx, encryptor, key)
  })
}
