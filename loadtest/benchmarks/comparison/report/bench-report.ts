import type { RatioSummary } from '../measurement/statistics.ts'

/** The findings of a part of the benchmark. */
export interface BenchReport {
  readonly title: string
  /** Paragraphs before the tables. */
  readonly text: readonly string[]
  readonly tables: readonly BenchTable[]
  readonly targets: readonly TargetFigure[]
  readonly charts: readonly BarChart[]
  /** What makes figures of this part doubtful. */
  readonly warnings: readonly string[]
}

export interface BenchTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A figure that has a target. */
export interface TargetFigure {
  readonly what: string
  readonly value: RatioSummary | number
  /** The figure is met if its value is at most, or at least, this. */
  readonly limit: { readonly at_most: number } | { readonly at_least: number }
  readonly unit?: string
  /** The title of the profile that shows where the time goes, by `nameProfile`. */
  readonly profile?: string
  /** Why the figure is what it is, in figures of the same run, where a profile does not show it. */
  readonly reason?: string
}

/** The title of the part with the profiles. */
export const profilesTitle = 'Where the CPU time goes'

/** The title of the table with the profile of a service under a load, or of its start. */
export function nameProfile(service: string, load: string): string {
  return `${service}, ${load}`
}

/** A chart with a bar for each value. */
export interface BarChart {
  /** Of its file, without the extension. */
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly bars: readonly { readonly label: string; readonly value: number }[]
}

export const emptyReport: Omit<BenchReport, 'title'> = { text: [], tables: [], targets: [], charts: [], warnings: [] }
