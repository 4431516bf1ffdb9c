import type { PartReport } from '../part.ts'

/** One restart of every process. */
export interface RestartRound {
  readonly requests: number
  /** Logins and console sign-ins that began before the restart and were finished after it. */
  readonly logins: number
  readonly signIns: number
  readonly worstMs: number
  readonly seconds: number
  readonly violations: readonly string[]
}

/** @param effects violations of effects and invariants, found at the end */
export function formatRestarts(rounds: readonly RestartRound[], effects: readonly string[]): PartReport {
  const rows = rounds.map(({ requests, logins, signIns, worstMs, seconds, violations }, index) =>
    [
      index + 1,
      requests,
      logins,
      signIns,
      `${(worstMs / 1_000).toFixed(1)} s`,
      `${seconds.toFixed(0)} s`,
      violations.length,
    ].join(' | '),
  )
  const text = [
    '## Rolling restarts',
    '',
    'Each process ends and is started again, one of each service at a time. Logins and console sign-ins begin before a round and are finished after it.',
    '',
    '| Round | Requests | Logins finished | Console sign-ins finished | Worst time to an answer | Duration | Violations |',
    '|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n')
  const found = rounds.flatMap(({ violations }, index) => violations.map((one) => `restart ${index + 1}: ${one}`))
  return { text, violations: [...found, ...effects.map((one) => `restarts: ${one}`)] }
}
