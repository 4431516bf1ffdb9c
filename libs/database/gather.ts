import DataLoader from 'dataloader'

const most_at_once = 200

/**
 * Gathers look-ups made in one turn of the event loop into one statement. Nothing is remembered from turn to turn.
 *
 * @param find answers each key at its place, undefined where there is nothing
 */
export function gather<K, V>(
  find: (keys: readonly K[]) => Promise<readonly (V | undefined)[]>,
): (key: K) => Promise<V | undefined> {
  const loader = new DataLoader<K, V | undefined>(find, {
    cache: false,
    maxBatchSize: most_at_once,
    batchScheduleFn: (run) => setImmediate(run),
  })
  return (key) => loader.load(key)
}
