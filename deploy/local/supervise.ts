import { type ChildProcess, createChildError } from '#local'

export type Supervised = Pick<ChildProcess, 'log' | 'exited' | 'ended' | 'stop'>

export interface Supervision {
  /** Rejects with a SetupError when a child ends by itself. */
  readonly failure: Promise<never>
  readonly isEmpty: () => boolean
  /** Starts a group. Groups are stopped in reverse order, the children of a group together. */
  readonly group: () => (title: string, child: Supervised) => void
}

/** Watches children, and stops them when the stack is disposed. */
export function supervise(stack: AsyncDisposableStack): Supervision {
  let rows = 0
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {}) // It can reject before anything awaits it.
  return {
    failure: failure.promise,
    isEmpty: () => rows === 0,
    group() {
      rows++
      const row: Supervised[] = []
      stack.defer(async () => {
        await Promise.all(row.map(({ stop }) => stop()))
      })
      return (title, child) => {
        row.push(child)
        void child.exited.then(() => {
          if (!stack.disposed) failure.reject(createChildError(child, title, `ended by itself with ${child.ended()}`))
        })
      }
    },
  }
}
