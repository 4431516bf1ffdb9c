import { randomUUID } from 'node:crypto'
import { limits } from '#contracts'

/** Sent with every request on the bus: the request ID and the deadline. */
export interface Call {
  readonly request_id: string
  /** On this process's monotonic clock (`performance.now()`, ms). Messages carry the remaining time. */
  readonly deadlineAt: number
  /** Undefined: data must be current. Only procedures that may be stale (`mayBeStale`) see it. */
  readonly staleness?: Staleness
}

/** How old the data may be that calls read, and how old it was. */
export interface Staleness {
  readonly maxAgeMs: number
  /** The greatest age of what was read so far, an upper bound; 0: all of it was current. */
  ageMs: number
}

/** How long calls last without a given time. An object, because tests on a slow machine change it. */
export const callDuration: { ms: number } = { ms: limits.web_api_deadline_ms }

/** @param options.maxAgeMs how old the data may be, if the procedure may be stale */
export function newCall(options: { request_id?: string; withinMs?: number; maxAgeMs?: number | undefined } = {}): Call {
  const { request_id = randomUUID(), withinMs = callDuration.ms, maxAgeMs } = options
  const deadlineAt = performance.now() + withinMs
  return maxAgeMs === undefined
    ? { request_id, deadlineAt }
    : { request_id, deadlineAt, staleness: { maxAgeMs, ageMs: 0 } }
}

/** Milliseconds left; 0 when the deadline has passed. */
export function remainingMs(call: Call): number {
  return Math.max(0, Math.floor(call.deadlineAt - performance.now()))
}
