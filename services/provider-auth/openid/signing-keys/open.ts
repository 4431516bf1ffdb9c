import { importJWK, type JSONWebKeySet } from 'jose'
import { createGauge } from '#runtime'
import type { Deps } from '../../deps.ts'
import { type SigningAlgorithm, signingAlgorithms } from '../../domain/signing-algorithms.ts'
import type { SigningKey, SigningKeys } from '../../domain/signing-keys.ts'
import { listSigningKeys } from '../../store/signing-keys.ts'
import { ensureSigningKeys } from './ensure.ts'
import { reloadIntervalSeconds } from './schedule.ts'

/**
 * Loads the signing keys into memory and reloads them periodically until disposed. While Postgres is unavailable, it
 * uses the last known keys.
 *
 * @throws DecryptionError if a key is encrypted with a key that is not in the key ring
 */
export async function openSigningKeys(
  deps: Pick<Deps, 'knex' | 'encryptor' | 'logger' | 'registry'>,
): Promise<SigningKeys & Disposable> {
  await ensureSigningKeys(deps)
  let keys = await loadKeys(deps)
  const reload = async () => {
    try {
      keys = await loadKeys(deps)
    } catch (error) {
      deps.logger.error({ error }, 'reloading the signing keys failed; using the last known keys')
    }
  }
  createGauge(deps.registry, 'sociallogin_signing_key_age_seconds', (gauge) => {
    for (const [alg, since] of keys.signs_since) gauge.set({ alg }, (Date.now() - since.getTime()) / 1_000)
  })
  const timer = setInterval(reload, reloadIntervalSeconds * 1_000).unref()
  return {
    active(alg) {
      const key = keys.active.get(alg)
      if (key === undefined) throw new Error(`No ${alg} signing key is available.`)
      return key
    },
    published: () => keys.published,
    known: () => keys.known,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

interface LoadedKeys {
  readonly signs_since: ReadonlyMap<SigningAlgorithm, Date>
  readonly active: ReadonlyMap<SigningAlgorithm, SigningKey>
  readonly published: JSONWebKeySet
  readonly known: JSONWebKeySet
}

async function loadKeys(deps: Pick<Deps, 'knex' | 'encryptor'>): Promise<LoadedKeys> {
  const stored = await listSigningKeys(deps)
  const active = new Map<SigningAlgorithm, SigningKey>()
  const signsSince = new Map<SigningAlgorithm, Date>()
  for (const alg of signingAlgorithms) {
    const newest = stored.find((key) => key.alg === alg && key.may_sign && key.private_jwk !== undefined)
    if (newest?.private_jwk === undefined) throw new Error(`No ${alg} signing key is available.`)
    const privateKey = await importJWK(newest.private_jwk, alg)
    if (privateKey instanceof Uint8Array) throw new Error(`The ${alg} key is not a private key.`)
    signsSince.set(alg, newest.signs_since)
    active.set(alg, { kid: newest.kid, alg, private_key: privateKey })
  }
  const publicParts = (keys: typeof stored) => ({ keys: keys.map(({ public_jwk }) => public_jwk) })
  return {
    active,
    signs_since: signsSince,
    published: publicParts(stored.filter(({ published }) => published)),
    known: publicParts(stored),
  }
}
