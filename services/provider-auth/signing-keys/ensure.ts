import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { signingAlgorithms } from '../domain/signing-algorithms.ts'
import { insertSigningKey, listKeyAlgorithms, lockSigningKeys } from '../store/signing-keys.ts'
import { generateSigningKey } from './generate.ts'

/** Makes the deployment's first key of each algorithm, once, however many replicas start together. */
export async function ensureSigningKeys({ knex, encryptor }: Pick<Deps, 'knex' | 'encryptor'>): Promise<void> {
  const present = await listKeyAlgorithms(knex)
  const missing = signingAlgorithms.filter((alg) => !present.includes(alg))
  if (missing.length === 0) return
  // Made before the lock is taken: finding primes can take longer than others may wait for it.
  const made = await Promise.all(missing.map(generateSigningKey))
  await transaction(knex, async (trx) => {
    await lockSigningKeys(trx)
    const present = await listKeyAlgorithms(trx)
    for (const key of made) if (!present.includes(key.alg)) await insertSigningKey(trx, encryptor, key)
  })
}
