import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { signingAlgorithms } from '../domain/signing-algorithms.ts'
import {
  activateSigningKey,
  deleteSigningKey,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  retireSigningKeys,
} from '../store/signing-keys.ts'
import { generateSigningKey } from './generate.ts'
import { activationDelaySeconds, withdrawalDelaySeconds } from './schedule.ts'

type Base = Pick<Deps, 'knex' | 'encryptor'>

/** A rotation or withdrawal that cannot be, in words for the operator. */
export class KeyRotationError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'KeysRefused'
  }
}

/**
 * Publishes the next key of each algorithm, to sign when everybody knows it, and has the present ones withdrawn when the last
 * token they signed has expired. Nobody's verification fails meanwhile (OpenID Connect Core 10.1.1).
 *
 * @returns the new keys' `kid`s
 * @throws KeysRefused while the rotation before is under way
 */
export async function rotateSigningKeys({ knex, encryptor }: Base): Promise<string[]> {
  // Made before the lock is taken: finding primes can take longer than others may wait for it.
  const made = await Promise.all(signingAlgorithms.map(generateSigningKey))
  await transaction(knex, async (trx) => {
    await lockSigningKeys(trx)
    const waiting = (await listSigningKeys({ knex: trx, encryptor })).find(
      ({ published, may_sign }) => published && !may_sign,
    )
    if (waiting !== undefined)
      throw new KeyRotationError(`A rotation is under way: the key ${waiting.kid} is published and does not sign yet.`)
    await retireSigningKeys(trx, activationDelaySeconds + withdrawalDelaySeconds)
    for (const key of made) await insertSigningKey(trx, encryptor, key, activationDelaySeconds)
  })
  return made.map(({ kid }) => kid)
}

/**
 * Destroys a key that somebody else may have. Its tokens stop verifying as soon as those who keep keys ask again; another key
 * signs at once, a new one if need be.
 *
 * @returns the `kid` of the key that signs in its stead
 * @throws KeysRefused when there is no such key
 */
export async function withdrawSigningKey({ knex, encryptor }: Base, kid: string): Promise<string> {
  const found = (await listSigningKeys({ knex, encryptor })).find((key) => key.kid === kid)
  if (found === undefined) throw new KeyRotationError(`There is no key ${kid}.`)
  const spare = await generateSigningKey(found.alg)
  return transaction(knex, async (trx) => {
    await lockSigningKeys(trx)
    await deleteSigningKey(trx, kid)
    const left = (await listSigningKeys({ knex: trx, encryptor })).filter(({ alg }) => alg === found.alg)
    // One that is on its way out must not sign again, and one that is damaged cannot.
    const [next] = left.filter(({ retiring, private_jwk }) => !retiring && private_jwk !== undefined)
    if (next === undefined) await insertSigningKey(trx, encryptor, spare)
    else if (!next.may_sign) await activateSigningKey(trx, next.kid)
    return (next ?? spare).kid
  })
}
