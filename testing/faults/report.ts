import { answerSeconds, type OperationResult } from './matrix.ts'

/** The results as Markdown: a table of all faults, then each violation. */
export function formatFaultReport(results: readonly OperationResult[]): string {
  const rows = results.flatMap(({ operation, series }) =>
    series.map(({ participant, fault, tried, fired, violations, worstMs }) =>
      [operation, participant, fault, tried, fired, violations, seconds(worstMs)].join(' | '),
    ),
  )
  const violations = results.flatMap((result) => result.violations)
  return [
    '# Faults',
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
    '',
    violations.length === 0 ? 'No violations.' : `${violations.length} violations:`,
    '',
    ...violations.map((violation) => `- ${violation}`),
    '',
  ].join('\n')
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
