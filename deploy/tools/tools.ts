import type { Findable } from '#local'

/** A program that is built from source where the machine has none. */
export interface Tool extends Findable {
  /** What Go calls its main package. */
  readonly package_path: string
}

export type ToolName = 'k6'

export const tools: Record<ToolName, Tool> = {
  k6: {
    files: ['k6'],
    folders: [],
    variable: 'K6',
    version_arguments: ['version'],
    version: /k6\S* v(\d+(?:\.\d+)*)/,
    at_least: [2],
    package_path: 'go.k6.io/k6/v2',
  },
}
