import { createSecretKey, type KeyObject } from 'node:crypto'
import type { KeyRing, WrappedKey } from './key-ring.ts'

/** Data keys in memory, about 2 MB. A deployment creates as many in years. Our choice. */
const maximumKeys = 10_000

/** An LRU cache of unwrapped data keys, so that a process calls the key ring once for each. */
export function createDataKeyCache(ring: KeyRing) {
  const keys = new Map<string, Promise<KeyObject>>()
  const cacheKey = ({ key_id, wrapped }: WrappedKey) => `${key_id}:${wrapped.toString('latin1')}`
  const remember = (name: string, key: Promise<KeyObject>) => {
    keys.delete(name)
    keys.set(name, key)
    const [oldest] = keys.keys()
    if (keys.size > maximumKeys && oldest !== undefined) keys.delete(oldest)
  }
  return {
    remember: (wrapped: WrappedKey, key: KeyObject) => remember(cacheKey(wrapped), Promise.resolve(key)),
    /** @throws the error of the ring; failures are not cached */
    find(wrapped: WrappedKey): Promise<KeyObject> {
      const name = cacheKey(wrapped)
      const cachedKey = keys.get(name)
      const key = cachedKey ?? ring.unwrap(wrapped).then(createSecretKey)
      remember(name, key)
      if (cachedKey === undefined) key.catch(() => keys.delete(name))
      return key
    },
  }
}
