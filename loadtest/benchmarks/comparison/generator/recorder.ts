import { sortedQuantile } from '../measurement/statistics.ts'
import type { LoadResult, LoadTimes } from './protocol.ts'

/** Counts requests and their durations once the lead is over. */
export interface Recorder {
  readonly start: () => void
  /** @param operation what was sent; the times of each operation are reported too */
  readonly record: (beganAt: number, operation: string) => void
  readonly finish: () => LoadResult
}

export function createRecorder(onCounting: () => void): Recorder {
  let startedAt: number | undefined
  const durations = new Map<string, number[]>()
  return {
    start() {
      startedAt = performance.now()
      onCounting()
    },
    record(beganAt, operation) {
      if (startedAt === undefined) return
      const duration = performance.now() - beganAt
      const known = durations.get(operation)
      if (known === undefined) durations.set(operation, [duration])
      else known.push(duration)
    },
    finish() {
      const times = [...durations].map(([operation, own]) => [operation, summarizeTimes(own)] as const)
      return {
        ...summarizeTimes([...durations.values()].flat()),
        seconds: (performance.now() - (startedAt ?? 0)) / 1_000,
        operations: Object.fromEntries(times),
      }
    },
  }
}

function summarizeTimes(durations: readonly number[]): LoadTimes {
  const sorted = durations.toSorted((a, b) => a - b)
  return { completed: sorted.length, p50_ms: sortedQuantile(sorted, 0.5), p99_ms: sortedQuantile(sorted, 0.99) }
}
