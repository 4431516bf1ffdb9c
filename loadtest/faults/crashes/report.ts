import type { PartReport } from '../part.ts'
import { answerSeconds, type OperationResult } from './matrix.ts'

/** A row for each operation and kind of fault. What each series found is printed while it runs. */
export function formatCrashes(results: readonly OperationResult[]): PartReport {
  const rows = results.flatMap(({ operation, series, recoveryMs }) =>
    ['cut', 'kill'].map((action) => {
      const ofAction = series.filter(({ fault, fired }) => fault.startsWith(action) && fired > 0)
      const participants = [...new Set(ofAction.map(({ participant }) => participant))].join(', ')
      const sum = (count: 'fired' | 'violations') => ofAction.reduce((total, one) => total + one[count], 0)
      const worstMs = Math.max(0, ...ofAction.map((one) => one.worstMs))
      return [operation, action, participants, sum('fired'), sum('violations'), seconds(worstMs), seconds(recoveryMs)]
    }),
  )
  const text = [
    '## Crashes',
    '',
    `Each request was repeated with its key for at most ${answerSeconds} s, without the time in which faults of other requests were armed or processes started again. The time to recover is that of all faults of the operation together.`,
    '',
    '| Operation | Fault | Participants that it reached | Faults | Violations | Worst time to a definite answer | Time to recover |',
    '|---|---|---|--:|--:|--:|--:|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')
  return { text, violations: results.flatMap((result) => result.violations) }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
