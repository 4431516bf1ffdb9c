import { randomUUID } from 'node:crypto'
import type { Registry } from 'prom-client'
import { createCounter, type Logger } from '#runtime'
import { type Call, newCall } from './call.ts'
import { RemoteDefect } from './client.ts'

/** Names a report: one that arrives twice is known by it. */
export interface ReportId {
  readonly source: string
  readonly sequence: number
}

export interface ReportingOptions<R> {
  /** What there is to report since it was asked last, in parts of bounded size. */
  readonly take: () => readonly R[]
  readonly send: (report: R & ReportId, call: Call) => Promise<unknown>
  readonly logger: Logger
  readonly registry: Registry
}

// Our choices. What a process that is killed has not reported yet is lost: at most this long, and what waits.
const everyMs = 2_000
const mostWaiting = 60
const sendWithinMs = 5_000

/**
 * Reports what a process counted, oldest first, beside its work and never in the way of it. A report waits until its receiver
 * has it; while the receiver is away the oldest are given up once too many wait, so that memory does not grow. Disposing
 * reports what is left.
 */
export function startReporting<R>({ take, send, logger, registry }: ReportingOptions<R>): AsyncDisposable {
  const source = randomUUID()
  const waiting: (R & ReportId)[] = []
  let sequence = 0
  let losing = false
  let underWay: Promise<void> | undefined
  const lost = createCounter(registry, 'sociallogin_reports_lost_total')

  const collect = () => {
    for (const report of take()) waiting.push({ ...report, source, sequence: sequence++ })
    const givenUp = waiting.splice(0, waiting.length - mostWaiting).length
    lost.inc(givenUp)
    if (givenUp > 0 && !losing) logger.warn('usage cannot be reported and is being lost')
    losing = givenUp > 0
  }
  const deliver = async () => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const delivered = await attempt(next)
      if (!delivered) return
      if (waiting[0] === next) waiting.shift()
    }
  }
  /** Whether nothing is left to be done about the report. */
  const attempt = async (report: R & ReportId): Promise<boolean> => {
    try {
      await send(report, newCall({ withinMs: sendWithinMs }))
      return true
    } catch (error) {
      // Who failed at this one would fail at it again, and at those behind it never be tried.
      if (!(error instanceof RemoteDefect)) return false
      logger.error({ error }, 'a report of usage was not taken')
      lost.inc()
      return true
    }
  }
  const report = () => {
    collect()
    underWay ??= deliver().finally(() => {
      underWay = undefined
    })
    return underWay
  }
  const timer = setInterval(report, everyMs).unref()

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await underWay
      await report()
    },
  }
}
