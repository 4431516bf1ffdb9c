/** Records of another service in memory. */
export interface Replica<R> {
  readonly apply: (changes: readonly R[]) => void
  /** Confirms that the replica was complete up to this revision at this time of the monotonic clock (ms). */
  readonly confirm: (revision: number, at: number) => void
  /** -1 before the first read. */
  readonly revision: () => number
}

/** Records that changed after a revision, the oldest change first. `revision` is the newest revision of all records. */
interface ChangePage<R> {
  readonly changes: readonly R[]
  readonly revision: number
}

type ReadPage<R> = (afterRevision: number) => Promise<ChangePage<R>>

/**
 * Creates the function that reads changes into a replica. A call during a read starts another one after it, because the first
 * may have missed the change that the call is for.
 */
export function createChangeReader<R extends { readonly revision: number }>(
  replica: Replica<R>,
  readPage: ReadPage<R>,
): () => Promise<void> {
  let reading: Promise<void> | undefined
  let shouldRead = false
  const readWhileCalled = async () => {
    try {
      while (shouldRead) {
        shouldRead = false
        await readPages(replica, readPage)
      }
    } finally {
      reading = undefined
    }
  }
  return () => {
    shouldRead = true
    reading ??= readWhileCalled()
    return reading
  }
}

async function readPages<R extends { readonly revision: number }>(
  replica: Replica<R>,
  readPage: ReadPage<R>,
): Promise<void> {
  let afterRevision = Math.max(0, replica.revision())
  for (;;) {
    const requestedAt = performance.now()
    const { changes, revision } = await readPage(afterRevision)
    replica.apply(changes)
    afterRevision = changes.at(-1)?.revision ?? revision
    if (afterRevision >= revision) return replica.confirm(afterRevision, requestedAt)
  }
}
