/** Values that are forgotten after a time. */
export interface ExpiringMap<V> {
  readonly set: (key: string, value: V) => void
  readonly get: (key: string | undefined) => V | undefined
  /** The value, which is gone afterwards. */
  readonly take: (key: string | undefined) => V | undefined
  /** Whole seconds that the value still lives; 0 when it is gone. */
  readonly secondsLeft: (key: string) => number
}

/** @param most entries kept; beyond it the oldest go, so that a simulator that runs for months stays small. Our choice. */
export function createExpiringMap<V>(life_seconds: number, most = 100_000): ExpiringMap<V> {
  // All entries live equally long, so they stand in the order in which they end.
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
      entries.set(key, { value, ends_at_ms: Date.now() + life_seconds * 1_000 })
      forgetOld()
    },
    get: (key) => live(key)?.value,
    take(key) {
      const entry = live(key)
      if (key !== undefined) entries.delete(key)
      return entry?.value
    },
    secondsLeft: (key) => Math.ceil(((live(key)?.ends_at_ms ?? Date.now()) - Date.now()) / 1_000),
  }
}
