import DataLoader from 'dataloader'

const maximumBatchSize = 200

/**
 * Combines the look-ups of one turn of the event loop into one statement. Results are not cached.
 *
 * @param find returns the values in the order of the keys, undefined for keys without a value
 */
export function createBatchLoader<K, V>(
  find: (keys: readonly K[]) => Promise<readonly (V | undefined)[]>,
): (key: K) => Promise<V | undefined> {
  const loader = new DataLoader<K, V | undefined>(find, {
    cache: false,
    maxBatchSize: maximumBatchSize,
    batchScheduleFn: (run) => setImmediate(run),
  })
  return (key) => loader.load(key)
}

/** Orders rows by the position of their look-up; `position` starts at 1, as in `unnest … with ordinality`. */
export function orderByPosition<R extends { readonly position: number }>(
  rows: readonly R[],
  length: number,
): (R | undefined)[] {
  const found = Array.from<R | undefined>({ length: length })
  for (const row of rows) found[row.position - 1] = row
  return found
}
