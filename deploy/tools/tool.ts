import type { ProgramQuery } from '#local'

/** A program that is built from source if the machine does not have it. */
export interface Tool extends ProgramQuery {
  /** The path of its main package in Go. */
  readonly package_path: string
  /** The folder of its `go.mod`, which several programs can share; by default the tool's name. */
  readonly module?: string
  /** Values that the linker sets, by the full name of the variable. */
  readonly variables?: Readonly<Record<string, string>>
}
