import { randomUUID } from 'node:crypto'
import { limits } from '#contracts'

/** What travels with every question: who began it and how long an answer is still of use. */
export interface Call {
  readonly request_id: string
  /** On this process's monotonic clock (`performance.now()`, ms). Between processes the remaining time travels. */
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
