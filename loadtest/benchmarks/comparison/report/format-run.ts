import type { BenchSize } from '../bench.ts'
import type { BenchReport } from './bench-report.ts'
import { formatNumber, formatPart, formatTargets } from './format.ts'

/** When, where and how a run was measured. */
export interface RunFacts {
  readonly machine: string
  readonly command: string
  readonly date: Date
  readonly minutes: number
  /** Share of CPU time that the host took, 0 to 1. */
  readonly stolen_share: number
  readonly size: BenchSize
  readonly quick: boolean
  /** Whether all requested parts were measured. */
  readonly complete: boolean
}

/** The result of a run as Markdown. */
export function formatRun(facts: RunFacts, reports: readonly BenchReport[]): string {
  return [
    '# Performance',
    describeRun(facts),
    ...(facts.quick ? ['**A short trial: the figures mean nothing.**'] : []),
    ...(facts.complete ? [] : ['**The run ended before all parts were measured.**']),
    ...formatAllTargets(reports),
    ...reports.map(formatPart),
  ].join('\n\n')
}

/** One sentence on the machine, one on the run. */
export function describeRun({ machine, command, date, minutes, stolen_share, size }: RunFacts): string {
  const { blocks, slice_seconds, sites, users } = size
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(date)
  return [
    `\`${command}\` on ${day}, in ${formatNumber(minutes)} minutes: ${machine}.`,
    `${users.toLocaleString('en-US')} users of ${sites} sites; ${blocks} blocks of slices of ${slice_seconds} s.`,
    `The host took ${formatNumber(stolen_share * 100)} % of the CPU time.`,
  ].join(' ')
}

/** The table of all targets; empty without one. */
export function formatAllTargets(reports: readonly BenchReport[]): string[] {
  const targets = reports.flatMap((report) => report.targets)
  return targets.length === 0 ? [] : ['## Targets', formatTargets(targets)]
}
