import type { PartReport } from '../part.ts'
import type { Judgement } from './judge.ts'

export interface DependencyResult extends Judgement {
  readonly fault: string
  readonly requests: number
  /** Answered writes and logins, which were all compared with what is stored. */
  readonly writes: number
  readonly logins: number
}

export function formatDependencies(
  { title, explanation }: { readonly title: string; readonly explanation: string },
  results: readonly DependencyResult[],
): PartReport {
  const rows = results.map(({ fault, requests, unavailable, writes, logins, worstMs, recoveryMs, violations }) =>
    [fault, requests, unavailable, writes, logins, seconds(worstMs), seconds(recoveryMs), violations.length].join(
      ' | ',
    ),
  )
  const text = [
    `## ${title}`,
    '',
    explanation,
    '',
    '| Fault | Requests | Answered as unavailable | Writes answered | Logins answered | Worst time to an answer | Time to recover | Violations |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n')
  return { text, violations: results.flatMap((result) => result.violations) }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
