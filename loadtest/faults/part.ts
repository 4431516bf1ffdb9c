import type { Step } from '../../deploy/local/progress.ts'

/** A part of the fault tests, which starts the stack that it needs. */
export interface FaultPart {
  readonly name: string
  /** One line for the usage. */
  readonly description: string
  /** What `--only` selects. */
  readonly cases: readonly string[]
  /** What `--core` selects. */
  readonly core: readonly string[]
  readonly run: (options: PartOptions) => Promise<PartReport>
}

export interface PartOptions {
  /** An empty directory, which is removed afterwards. */
  readonly directory: string
  /** The selected cases, in the order of `FaultPart.cases`. */
  readonly selected: readonly string[]
  /** Services whose processes meet faults; undefined for all. */
  readonly participants: readonly string[] | undefined
  /** Only samples, so that all parts together take less than four minutes. */
  readonly core: boolean
  readonly step: Step
  readonly interruption: AbortSignal
  readonly print: (line: string) => void
  /** Receives the report as far as it is known, because a part can take hours. */
  readonly save: (report: PartReport) => void
}

export interface PartReport {
  /** Markdown that begins with a heading of level 2. */
  readonly text: string
  readonly violations: readonly string[]
}
