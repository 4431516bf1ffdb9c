import { sortedQuantile } from '../measurement/statistics.ts'
import type { LoadResult } from './protocol.ts'

/** Counts requests and their durations once the lead is over. */
export interface Recorder {
  readonly start: () => void
  readonly record: (beganAt: number) => void
  readonly finish: () => LoadResult
}

export function createRecorder(onCounting: () => void): Recorder {
  let startedAt: number | undefined
  const durations: number[] = []
  return {
    start() {
      startedAt = performance.now()
      onCounting()
    },
    record(beganAt) {
      if (startedAt !== undefined) durations.push(performance.now() - beganAt)
    },
    finish() {
      const sorted = durations.toSorted((a, b) => a - b)
      return {
        completed: durations.length,
        seconds: (performance.now() - (startedAt ?? 0)) / 1_000,
        p50_ms: sortedQuantile(sorted, 0.5),
        p99_ms: sortedQuantile(sorted, 0.99),
      }
    },
  }
}
