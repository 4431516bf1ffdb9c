/** Values that are stored for a time. */
export interface ExpiringMap<V> {
  readonly set: (key: string, value: V) => void
  readonly get: (key: string | undefined) => V | undefined
  /** The value, which is deleted. */
  readonly take: (key: string | undefined) => V | undefined
}

/** @param most entries; beyond it the oldest are deleted, so that a simulator that runs for months stays small. Our choice. */
export function createExpiringMap<V>(lifetimeSeconds: number, most = 100_000): ExpiringMap<V> {
  // All entries are stored equally long, so they are in the order in which they end.
  const entries = new Map<string, { value: V; ends_at_ms: number }>()

  const live = (key: string | undefined) => {
    const entry = key === undefined ? undefined : entries.get(key)
    return entry !== undefined && entry.ends_at_ms > Date.now() ? entry : undefined
  }
  const forgetOld = () => {
    for (const [key, { ends_at_ms }] of entries) {
      if (entries.size <= most && ends_at_ms > Date.now()) return
      entries.delete(key)
    }
  }

  return {
    set(key, value) {
      entries.delete(key)
      entries.set(key, { value, ends_at_ms: Date.now() + lifetimeSeconds * 1_000 })
      forgetOld()
    },
    get: (key) => live(key)?.value,
    take(key) {
      const entry = live(key)
      if (key !== undefined) entries.delete(key)
      return entry?.value
    },
  }
}
