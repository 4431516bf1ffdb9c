/** One `name=value` on each line. */
export function formatRecord(record: object): string {
  return Object.entries(record)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
}

/** Undefined if a line has no `=`. */
export function parseRecord(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.some((line) => !line.includes('='))) return undefined
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=')
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}
