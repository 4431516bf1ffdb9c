import { randomUUID } from 'node:crypto'
import type { Registry } from 'prom-client'
import { createCounter, type Logger } from '#runtime'
import { type Call, newCall } from './call.ts'
import { RemoteDefect } from './client.ts'

/** Identifies a report, so that the receiver discards duplicates. */
export interface ReportId {
  readonly source: string
  readonly sequence: number
}

export interface ReportingOptions<R> {
  /** Returns the counts since the last call, in reports of limited size. */
  readonly take: () => readonly R[]
  readonly send: (report: R & ReportId, call: Call) => Promise<unknown>
  readonly logger: Logger
  readonly registry: Registry
  /** How often counts are collected. Default: 2,000. */
  readonly intervalMs?: number
}

// Our choices. A killed process loses the counts of at most one interval, and the pending reports.
const defaultIntervalMs = 2_000
const maximumPending = 60
const sendWithinMs = 5_000

/**
 * Sends the counts of a process in the background, oldest first. A report stays pending until it is delivered. While the
 * receiver is unavailable, the oldest reports are dropped beyond a limit, so that memory does not grow. Disposing sends
 * the remaining counts.
 */
export function startReporting<R>({
  take,
  send,
  logger,
  registry,
  intervalMs = defaultIntervalMs,
}: ReportingOptions<R>): AsyncDisposable {
  const source = randomUUID()
  const pending: (R & ReportId)[] = []
  let sequence = 0
  let isLosing = false
  let delivery: Promise<void> | undefined
  const lost = createCounter(registry, 'sociallogin_reports_lost_total')

  const collect = () => {
    for (const report of take()) pending.push({ ...report, source, sequence: sequence++ })
    const dropped = pending.splice(0, pending.length - maximumPending).length
    lost.inc(dropped)
    if (dropped > 0 && !isLosing) logger.warn('usage reports are lost: the console has been unavailable for too long')
    isLosing = dropped > 0
  }
  const deliver = async () => {
    for (let next = pending[0]; next !== undefined; next = pending[0]) {
      const delivered = await attempt(next)
      if (!delivered) return
      if (pending[0] === next) pending.shift()
    }
  }
  /** Returns whether the report is done: delivered or rejected. */
  const attempt = async (report: R & ReportId): Promise<boolean> => {
    try {
      await send(report, newCall({ withinMs: sendWithinMs }))
      return true
    } catch (error) {
      // The receiver would reject this report again, and never receive the ones behind it.
      if (!(error instanceof RemoteDefect)) return false
      logger.error({ error }, 'usage report rejected and lost')
      lost.inc()
      return true
    }
  }
  const report = () => {
    collect()
    delivery ??= deliver().finally(() => {
      delivery = undefined
    })
    return delivery
  }
  const timer = setInterval(report, intervalMs).unref()

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await delivery
      await report()
    },
  }
}
