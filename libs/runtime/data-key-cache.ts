import type { KeyRing, WrappedKey } from './key-ring.ts'

/** Most data keys in memory, some 2 MB. A deployment makes as many in years. Our choice. */
const mostKeys = 10_000

/** Data keys a process has met, so that the ring is asked once for each; the longest unused goes first. */
export function createDataKeyCache(ring: KeyRing) {
  const keys = new Map<string, Promise<Buffer>>()
  const nameOf = ({ key_id, wrapped }: WrappedKey) => `${key_id}:${wrapped.toString('latin1')}`
  const remember = (name: string, key: Promise<Buffer>) => {
    keys.delete(name)
    keys.set(name, key)
    const [oldest] = keys.keys()
    if (keys.size > mostKeys && oldest !== undefined) keys.delete(oldest)
  }
  return {
    remember: (wrapped: WrappedKey, key: Buffer) => remember(nameOf(wrapped), Promise.resolve(key)),
    /** @throws what the ring throws; a failure is not remembered */
    find(wrapped: WrappedKey): Promise<Buffer> {
      const name = nameOf(wrapped)
      const known = keys.get(name)
      const key = known ?? ring.unwrap(wrapped)
      remember(name, key)
      if (known === undefined) key.catch(() => keys.delete(name))
      return key
    },
  }
}
