import { availableParallelism } from 'node:os'

/**
 * Processes the items concurrently, one for each processor, and returns the results in their order. Rejects with the
 * first error.
 */
export async function mapConcurrently<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (const [index, item] of waiting) results[index] = await work(item)
  })
  await Promise.all(workers)
  return results
}
