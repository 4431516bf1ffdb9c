import DataLoader from 'dataloader'

const mostAtOnce = 200

/**
 * Gathers look-ups made in one turn of the event loop into one statement. Nothing is remembered from turn to turn.
 *
 * @param find answers each key at its place, undefined where there is nothing
 */
export function createBatchLoader<K, V>(
  find: (keys: readonly K[]) => Promise<readonly (V | undefined)[]>,
): (key: K) => Promise<V | undefined> {
  const loader = new DataLoader<K, V | undefined>(find, {
    cache: false,
    maxBatchSize: mostAtOnce,
    batchScheduleFn: (run) => setImmediate(run),
  })
  return (key) => loader.load(key)
}

/** Puts rows where the look-ups they answer stand; `position` counts from 1, as `unnest … with ordinality` does. */
export function orderByPosition<R extends { readonly position: number }>(
  rows: readonly R[],
  places: number,
): (R | undefined)[] {
  const found = Array.from<R | undefined>({ length: places })
  for (const row of rows) found[row.position - 1] = row
  return found
}
