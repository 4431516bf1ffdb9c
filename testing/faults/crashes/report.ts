import type { PartReport } from '../part.ts'
import { answerSeconds, type OperationResult } from './matrix.ts'

/** A table of all faults, and how long each operation took to recover. */
export function formatCrashes(results: readonly OperationResult[]): PartReport {
  const rows = results.flatMap(({ operation, series }) =>
    series.map(({ participant, fault, tried, fired, violations, worstMs }) =>
      [operation, participant, fault, tried, fired, violations, seconds(worstMs)].join(' | '),
    ),
  )
  const violations = results.flatMap((result) => result.violations)
  const text = [
    '## Crashes',
    '',
    `Each request was repeated with its key for at most ${answerSeconds} s.`,
    '',
    '| Operation | Participant | Fault | Points tried | Fired | Violations | Worst time to a definite answer |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
    '| Operation | Recovered after the last answer | Duration |',
    '|---|---|---|',
    ...results.map(
      ({ operation, recoveryMs, seconds: duration }) =>
        `| ${operation} | ${seconds(recoveryMs)} | ${duration.toFixed(0)} s |`,
    ),
  ].join('\n')
  return { text, violations }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
