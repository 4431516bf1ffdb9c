import { randomUUID } from 'node:crypto'
import { Counter, type Registry } from 'prom-client'
import type { Logger } from '#runtime'
import { type Call, newCall } from './call.ts'
import { RemoteDefect } from './client.ts'

/** Names a report: one that arrives twice is known by it. */
export interface ReportName {
  readonly source: string
  readonly sequence: number
}

export interface ReportingOptions<R> {
  /** What there is to report since it was asked last, in parts of bounded size. */
  readonly take: () => readonly R[]
  readonly send: (report: R & ReportName, call: Call) => Promise<unknown>
  readonly logger: Logger
  readonly registry: Registry
}

// Our choices. What a process that is killed has not reported yet is lost: at most this long, and what waits.
const every_ms = 2_000
const most_waiting = 60
const send_within_ms = 5_000

/**
 * Reports what a process counted, oldest first, beside its work and never in the way of it. A report waits until its receiver
 * has it; while the receiver is away the oldest are given up once too many wait, so that memory does not grow. Disposing
 * reports what is left.
 */
export function startReporting<R>({ take, send, logger, registry }: ReportingOptions<R>): AsyncDisposable {
  const source = randomUUID()
  const waiting: (R & ReportName)[] = []
  let sequence = 0
  let losing = false
  let under_way: Promise<void> | undefined
  const lost = new Counter({
    name: 'reports_lost_total',
    help: 'Reports of usage that were given up: their receiver was away for too long, or could not take them.',
    registers: [registry],
  })

  const collect = () => {
    for (const report of take()) waiting.push({ ...report, source, sequence: sequence++ })
    const given_up = waiting.splice(0, waiting.length - most_waiting).length
    lost.inc(given_up)
    if (given_up > 0 && !losing) logger.warn('usage cannot be reported and is being lost')
    losing = given_up > 0
  }
  const deliver = async () => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const delivered = await attempt(next)
      if (!delivered) return
      if (waiting[0] === next) waiting.shift()
    }
  }
  /** Whether nothing is left to be done about the report. */
  const attempt = async (report: R & ReportName): Promise<boolean> => {
    try {
      await send(report, newCall({ within_ms: send_within_ms }))
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
    under_way ??= deliver().finally(() => {
      under_way = undefined
    })
    return under_way
  }
  const timer = setInterval(report, every_ms).unref()

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await under_way
      await report()
    },
  }
}
