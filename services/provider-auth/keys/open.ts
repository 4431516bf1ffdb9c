import { importJWK, type JSONWebKeySet } from 'jose'
import type { Deps } from '../deps.ts'
import { listPublishedKeys } from '../store/signing-keys.ts'
import { ensureSigningKeys } from './ensure.ts'
import { type SigningAlgorithm, type SigningKey, type SigningKeys, signingAlgorithms } from './signing-keys.ts'

/** How soon every replica knows a key that was published or withdrawn. Our choice. */
const reload_every_ms = 30_000

/**
 * Has the signing keys in memory and follows their changes until disposed. While Postgres is away the last known ones serve.
 *
 * @throws SealBroken when a key was sealed with a key this process does not have
 */
export async function openSigningKeys(
  deps: Pick<Deps, 'knex' | 'sealer' | 'logger'>,
): Promise<SigningKeys & Disposable> {
  await ensureSigningKeys(deps)
  let keys = await loadKeys(deps)
  const reload = async () => {
    try {
      keys = await loadKeys(deps)
    } catch (error) {
      deps.logger.error({ error }, 'signing keys could not be read anew')
    }
  }
  const timer = setInterval(reload, reload_every_ms).unref()
  return {
    active(alg) {
      const key = keys.active.get(alg)
      if (key === undefined) throw new Error(`There is no ${alg} key to sign with.`)
      return key
    },
    published: () => keys.published,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

interface LoadedKeys {
  readonly active: ReadonlyMap<SigningAlgorithm, SigningKey>
  readonly published: JSONWebKeySet
}

async function loadKeys(deps: Pick<Deps, 'knex' | 'sealer'>): Promise<LoadedKeys> {
  const stored = await listPublishedKeys(deps)
  const active = new Map<SigningAlgorithm, SigningKey>()
  for (const alg of signingAlgorithms) {
    const newest = stored.find((key) => key.alg === alg && key.may_sign)
    if (newest === undefined) throw new Error(`There is no ${alg} key to sign with.`)
    const private_key = await importJWK(newest.private_jwk, alg)
    if (private_key instanceof Uint8Array) throw new Error(`The ${alg} key is not a private key.`)
    active.set(alg, { kid: newest.kid, alg, private_key })
  }
  return { active, published: { keys: stored.map(({ public_jwk }) => public_jwk) } }
}
