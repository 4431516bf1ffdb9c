/** How answers are printed; the default is a table with the columns that matter most. */
export const formats = ['table', 'wide', 'json', 'yaml'] as const

/** The format that `--json` or `--output` selects. */
export function formatOf({ json, output }: Readonly<Record<string, unknown>>): (typeof formats)[number] {
  return json === true ? 'json' : (formats.find((format) => format === output) ?? 'table')
}
