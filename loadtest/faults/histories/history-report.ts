import type { PartReport } from '../part.ts'

export interface HistoriesResult {
  readonly histories: number
  readonly linearizable: number
  readonly operations: number
  /** Operations whose clients never learned the outcome. */
  readonly unknown: number
  readonly worstMs: number
  /** How many times each fault was caused. */
  readonly faults: ReadonlyMap<string, number>
  readonly violations: readonly string[]
}

export function formatHistories(result: HistoriesResult): PartReport {
  const { histories, linearizable, operations, unknown, worstMs, faults, violations } = result
  const causes = [...faults].map(([name, count]) => `${count} × ${name}`).sort()
  const text = [
    '## Histories',
    '',
    'Clients send random operations at once to the same few users, keys and accounts, while random faults are caused. A history is linearizable if its answers are those of its operations one after another.',
    '',
    '| Histories | Linearizable | Operations | With unknown outcome | Worst time to a definite answer | Violations |',
    '|--:|--:|--:|--:|--:|--:|',
    `| ${[histories, linearizable, operations, unknown, `${(worstMs / 1_000).toFixed(1)} s`, violations.length].join(' | ')} |`,
    '',
    `Faults: ${causes.join(', ')}.`,
  ].join('\n')
  return { text, violations }
}
