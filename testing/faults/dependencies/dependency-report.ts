import type { PartReport } from '../part.ts'
import type { Judgement } from './judge.ts'

export interface DependencyResult extends Judgement {
  readonly fault: string
  readonly requests: number
  /** Answered writes and logins, which were all compared with what is stored. */
  readonly writes: number
  readonly logins: number
}

export function formatDependencies(title: string, results: readonly DependencyResult[]): PartReport {
  const rows = results.map(({ fault, requests, unavailable, writes, logins, worstMs, recoveryMs, violations }) =>
    [fault, requests, unavailable, writes, logins, seconds(worstMs), seconds(recoveryMs), violations.length].join(
      ' | ',
    ),
  )
  const text = [
    `## ${title}`,
    '',
    'A fault whose name ends with `_for_one`, `_half_open` or a service must be overcome while it lasts; its time to recover counts from its beginning.',
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
