import { randomUUID } from 'node:crypto'
import { limits } from '#contracts'

/** Sent with every request on the bus: the request ID and the deadline. */
export interface Call {
  readonly request_id: string
  /** On this process's monotonic clock (`performance.now()`, ms). Messages carry the remaining time. */
  readonly deadlineAt: number
}

export function newCall(options: { request_id?: string; withinMs?: number } = {}): Call {
  const { request_id = randomUUID(), withinMs = limits.web_api_deadline_ms } = options
  return { request_id, deadlineAt: performance.now() + withinMs }
}

/** Milliseconds left; 0 when the deadline has passed. */
export function remainingMs(call: Call): number {
  return Math.max(0, Math.floor(call.deadlineAt - performance.now()))
}
