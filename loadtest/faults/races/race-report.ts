import type { PartReport } from '../part.ts'
import { racers } from './race.ts'

export interface RaceResult {
  readonly race: string
  readonly rounds: number
  readonly violations: readonly string[]
}

/** @param invariants that were violated at the end */
export function formatRaces(results: readonly RaceResult[], invariants: readonly string[]): PartReport {
  const text = [
    '## Races',
    '',
    `${racers} requests at once. The number of each answer and what is stored afterwards must be exactly as expected.`,
    '',
    '| Race | Rounds | Violations |',
    '|---|--:|--:|',
    ...results.map(({ race, rounds, violations }) => `| ${race} | ${rounds} | ${violations.length} |`),
  ].join('\n')
  return { text, violations: [...results.flatMap(({ violations }) => violations), ...invariants] }
}
