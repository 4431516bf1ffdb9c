import { type Child, childFailure } from '#local'

export type Supervised = Pick<Child, 'log' | 'exited' | 'ended' | 'stop'>

export interface Supervision {
  /** Rejects with a sentence when one of them ends though nobody stopped it. */
  readonly failure: Promise<never>
  readonly empty: () => boolean
  /** Begins a row. Rows are stopped one after another, the last one first; those of a row together. */
  readonly row: () => (title: string, child: Supervised) => void
}

/** Has the stack stop what is started, and looks after it until then. */
export function supervise(stack: AsyncDisposableStack): Supervision {
  let rows = 0
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {}) // it may come before somebody waits for it
  return {
    failure: failure.promise,
    empty: () => rows === 0,
    row() {
      rows++
      const row: Supervised[] = []
      stack.defer(async () => {
        await Promise.all(row.map(({ stop }) => stop()))
      })
      return (title, child) => {
        row.push(child)
        void child.exited.then(() => {
          if (!stack.disposed) failure.reject(childFailure(child, title, `ended by itself with ${child.ended()}`))
        })
      }
    },
  }
}
