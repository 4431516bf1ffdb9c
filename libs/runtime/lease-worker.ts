import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from './logger.ts'

/** Rows of a database that have work, of which each is leased to one replica at a time. */
export interface LeasedWork<Row> {
  /** Leases at most `limit` further rows with work. `running`: those that this worker works on. */
  readonly lease: (running: readonly Row[], limit: number) => Promise<readonly Row[]>
  /** Extends the leases of this worker. `running`: the rows that it works on. */
  readonly renew: (running: readonly Row[]) => Promise<void>
  /** Does the work of a row and releases it. It handles its own errors. */
  readonly work: (row: Row, state: LeaseState) => Promise<void>
}

export interface LeaseState {
  /** Whether to go on with a row: false when the worker stops, and when its leases may have ended. */
  readonly mayContinue: () => boolean
  /** Is aborted when the worker stops. */
  readonly stopping: AbortSignal
}

export interface LeaseWorkerOptions {
  readonly logger: Logger
  /** What the rows are, in log lines. */
  readonly rows: string
  readonly leaseSeconds: number
  /** Pause between looks for work. */
  readonly pollMs: number
  /** Rows that one look leases at most. */
  readonly leasedAtOnce: number
  /** Rows that the worker works on at the same time; by default any number. */
  readonly concurrency?: number
  /** Cuts off the work that still runs so long after the worker began to stop; by default it may take any time. */
  readonly cutOff?: { readonly afterMs: number; readonly end: () => PromiseLike<void> }
}

/** Works on leased rows until disposed, which waits for the rows that it works on. */
export interface LeaseWorker extends AsyncDisposable {
  /** Looks for work now. */
  readonly wake: () => void
}

const renewalsPerLease = 4

/**
 * Leases rows that have work, and works on each of them independently of the others. A worker renews its leases, so the rows of one
 * that was killed continue elsewhere as soon as their leases end.
 */
export function startLeaseWorker<Row>(
  { lease, renew, work }: LeasedWork<Row>,
  {
    logger,
    rows,
    leaseSeconds,
    pollMs,
    leasedAtOnce,
    concurrency = Number.POSITIVE_INFINITY,
    cutOff,
  }: LeaseWorkerOptions,
): LeaseWorker {
  const stopping = new AbortController()
  const running = new Map<symbol, { readonly row: Row; readonly ended: Promise<void> }>()
  const listRunning = () => [...running.values()].map(({ row }) => row)
  let wakeUp = () => {}
  let renewedAt = performance.now()
  const state: LeaseState = {
    mayContinue: () => !stopping.signal.aborted && performance.now() - renewedAt < leaseSeconds * 1_000,
    stopping: stopping.signal,
  }

  const leaseMore = async (limit: number): Promise<number> => {
    try {
      const leased = await lease(listRunning(), limit)
      for (const row of leased) {
        const key = Symbol('row')
        running.set(key, { row, ended: work(row, state).finally(() => running.delete(key)) })
      }
      return leased.length
    } catch (error) {
      logger.warn({ error }, `${rows} not read; retrying`)
      return 0
    }
  }
  const look = async () => {
    while (!stopping.signal.aborted) {
      const { promise: woken, resolve } = Promise.withResolvers<void>()
      wakeUp = resolve
      const limit = Math.min(leasedAtOnce, concurrency - running.size)
      if (limit === 0) await Promise.race([...running.values()].map(({ ended }) => ended))
      else if ((await leaseMore(limit)) < limit) await Promise.race([woken, delay(pollMs, undefined, { ref: false })])
    }
  }
  const renewAll = async () => {
    const startedAt = performance.now()
    await renew(listRunning())
    renewedAt = startedAt
  }
  const looking = look()
  const renewal = setInterval(
    () => renewAll().catch((error: unknown) => logger.warn({ error }, `leases of ${rows} not renewed; retrying`)),
    (leaseSeconds * 1_000) / renewalsPerLease,
  ).unref()

  return {
    wake: () => wakeUp(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      wakeUp()
      await looking
      const ended = Promise.all([...running.values()].map(({ ended }) => ended))
      if (cutOff !== undefined) {
        await Promise.race([ended, delay(cutOff.afterMs, undefined, { ref: false })])
        await cutOff.end()
      }
      await ended
      clearInterval(renewal)
    },
  }
}
