import { type Contract, Fault } from '#contracts'
import { isDatabaseUnavailable } from './outages.ts'
import type { Connections } from './read-replica.ts'
import type { ReadReplicas } from './read-replicas.ts'

/** Of a call: how old the data may be that it reads, and how old it was. */
interface Staleness {
  readonly maxAgeMs: number
  ageMs: number
}

type StaleHandler = (input: never, deps: never, call: never) => Promise<unknown>
type RunHandler<D> = (input: unknown, deps: D, call: { readonly staleness?: Staleness }) => Promise<unknown>

const readOnly = '25006'
/** A conflict with recovery, a deadlock, or the time limit of statements. */
const canceled = new Set(['40001', '40P01', '57014'])

/**
 * Wraps the handlers of procedures that may be stale: if the caller tolerates the age of a replica, a handler gets the connections of
 * the replica, and those of the primary otherwise. It runs again at the primary if it fails at the replica, because it only reads.
 */
export function serveStaleReads<H extends Readonly<Record<string, StaleHandler>>>(
  { procedures }: Contract,
  handlers: H,
  replicas: ReadReplicas | undefined,
): H {
  if (replicas === undefined) return handlers
  const wrapped = Object.entries(handlers).map(([name, handler]): [string, StaleHandler] => {
    // Each handler takes the input and the dependencies of its procedure.
    const run = handler as RunHandler<Connections>
    return [name, procedures[name]?.mayBeStale ? wrap(run, replicas) : handler]
  })
  // Each name maps to a function of the same type.
  return Object.fromEntries(wrapped) as H
}

function wrap(run: RunHandler<Connections>, replicas: ReadReplicas): RunHandler<Connections> {
  return async (input, deps, call) => {
    const { staleness } = call
    if (staleness === undefined) return run(input, deps, call)
    const choice = replicas.choose(staleness.maxAgeMs)
    if (choice.replica === undefined) {
      replicas.count(choice.reason)
      return run(input, deps, call)
    }
    const { replica, freshAt } = choice
    try {
      const output = await run(input, { ...deps, ...replica.connections }, call)
      replicas.count('replica')
      staleness.ageMs = Math.max(staleness.ageMs, performance.now() - freshAt)
      return output
    } catch (error) {
      if (error instanceof Fault) throw error
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
      if (code === readOnly) throw new Error('A procedure that may be stale has written.', { cause: error })
      const isCanceled = typeof code === 'string' && canceled.has(code)
      if (!isCanceled && isDatabaseUnavailable(error)) replica.distrust()
      replicas.count(isCanceled ? 'canceled' : 'failed')
      return run(input, deps, call)
    }
  }
}
