import { simulatedClock } from './simulated-clock.ts'
/** Values that expire. */
export interface ExpiringMap<V> {
  readonly set: (key: string, value: V) => void
  readonly get: (key: string | undefined) => V | undefined
  /** Returns and deletes the value. */
  readonly take: (key: string | undefined) => V | undefined
}

/**
 * @param most maximum entries; beyond it the oldest are deleted, so that the memory of a long-running simulator is
 * limited. Our choice.
 */
export function createExpiringMap<V>(lifetimeSeconds: number, most = 100_000): ExpiringMap<V> {
  // All entries have the same lifetime, so they are ordered by expiry.
  const entries = new Map<string, { value: V; ends_at_ms: number }>()

  const findLive = (key: string | undefined) => {
    const entry = key === undefined ? undefined : entries.get(key)
    return entry !== undefined && entry.ends_at_ms > simulatedClock.now() ? entry : undefined
  }
  const deleteExpired = () => {
    for (const [key, { ends_at_ms }] of entries) {
      if (entries.size <= most && ends_at_ms > simulatedClock.now()) return
      entries.delete(key)
    }
  }

  return {
    set(key, value) {
      entries.delete(key)
      entries.set(key, { value, ends_at_ms: simulatedClock.now() + lifetimeSeconds * 1_000 })
      deleteExpired()
    },
    get: (key) => findLive(key)?.value,
    take(key) {
      const entry = findLive(key)
      if (key !== undefined) entries.delete(key)
      return entry?.value
    },
  }
}
