import { availableParallelism } from 'node:os'

/** Works on the items, as many at once as the machine has processors; answers in their order. The first error ends it. */
export async function mapConcurrently<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (const [index, item] of waiting) results[index] = await work(item)
  })
  await Promise.all(workers)
  return results
}
