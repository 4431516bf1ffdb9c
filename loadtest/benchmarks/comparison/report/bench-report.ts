import type { RatioSummary } from '../measurement/statistics.ts'

/** The findings of a part of the benchmark. */
export interface BenchReport {
  readonly title: string
  /** Paragraphs before the tables. */
  readonly text: readonly string[]
  readonly tables: readonly BenchTable[]
  readonly targets: readonly TargetFigure[]
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
  /** Why the figure is what it is, in figures of the same run. */
  readonly reason?: string
}
