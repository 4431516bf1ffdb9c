import { transaction } from '#database'
import type { Deps } from '../../deps.ts'
import { signingAlgorithms } from '../../domain/signing-algorithms.ts'
import {
  activateSigningKey,
  deleteSigningKey,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  retireSigningKeys,
} from '../../store/signing-keys.ts'
import { generateSigningKey } from './generate.ts'
import { activationDelaySeconds, withdrawalDelaySeconds } from './schedule.ts'

type Base = Pick<Deps, 'knex' | 'encryptor'>

/** A rotation or withdrawal that is not possible. The message is shown to the operator. */
export class KeyRotationError extends Error {
  override readonly name = 'KeyRotationError'
  constructor(reason: string) {
    super(reason)
  }
}

/**
 * Publishes the next key of each algorithm, which signs once every client knows it, and schedules the withdrawal of the
 * current keys for when the last token they signed has expired. Verification never fails during a rotation (OpenID
 * Connect Core 10.1.1).
 *
 * @returns the `kid` values of the new keys
 * @throws KeyRotationError while the previous rotation is in progress
 */
export async function rotateSigningKeys({ knex, encryptor }: Base): Promise<string[]> {
  // Generated before the lock is taken, because finding primes can take longer than others may wait for the lock.
  const made = await Promise.all(signingAlgorithms.map(generateSigningKey))
  await transaction(knex, async (trx) => {
    await lockSigningKeys(trx)
    const waiting = (await listSigningKeys({ knex: trx, encryptor })).find(
      ({ published, may_sign }) => published && !may_sign,
    )
    if (waiting !== undefined)
      throw new KeyRotationError(
        `A rotation is in progress: the key ${waiting.kid} is published but does not sign yet. Try again later.`,
      )
    await retireSigningKeys(trx, activationDelaySeconds + withdrawalDelaySeconds)
    for (const key of made) await insertSigningKey(trx, encryptor, key, activationDelaySeconds)
  })
  return made.map(({ kid }) => kid)
}

/**
 * Deletes a compromised key. Its tokens fail verification as soon as clients reload the keys. Another key signs
 * immediately; a new one is created if necessary.
 *
 * @returns the `kid` of the key that signs instead
 * @throws KeyRotationError if the key does not exist
 */
export async function withdrawSigningKey({ knex, encryptor }: Base, kid: string): Promise<string> {
  const signingKey = (await listSigningKeys({ knex, encryptor })).find((key) => key.kid === kid)
  if (signingKey === undefined) throw new KeyRotationError(`The key ${kid} does not exist.`)
  const spare = await generateSigningKey(signingKey.alg)
  return transaction(knex, async (trx) => {
    await lockSigningKeys(trx)
    await deleteSigningKey(trx, kid)
    const left = (await listSigningKeys({ knex: trx, encryptor })).filter(({ alg }) => alg === signingKey.alg)
    // A retiring key must not sign again, and a damaged one cannot.
    const [next] = left.filter(({ retiring, private_jwk }) => !retiring && private_jwk !== undefined)
    if (next === undefined) await insertSigningKey(trx, encryptor, spare)
    else if (!next.may_sign) await activateSigningKey(trx, next.kid)
    return (next ?? spare).kid
  })
}
