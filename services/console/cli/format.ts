/** Output formats. The default is a table with the most important columns. */
export const formats = ['table', 'wide', 'json', 'yaml'] as const

/** Returns the format that `--json` or `--output` selects. */
export function parseFormat({ json, output }: Readonly<Record<string, unknown>>): (typeof formats)[number] {
  return json === true ? 'json' : (formats.find((format) => format === output) ?? 'table')
}
