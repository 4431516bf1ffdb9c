import { existsSync, readFileSync } from 'node:fs'

/** What a program said last, for an error message: the last errors among JSON log lines, or else the last lines. */
export function lastWords(log: string, count = 5): string {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  const read = lines.slice(-200).map(readLine)
  const errors = read.filter(({ is_error }) => is_error)
  const chosen = errors.length > 0 ? errors : read
  return chosen
    .slice(-count)
    .map(({ text }) => text)
    .join('\n')
    .trim()
}

/** A line of our services' logs is `{ level, msg, error?: { kind, code?, message? } }`; what they write before they can log, and other programs' lines, are plain. */
function readLine(line: string): { text: string; is_error: boolean } {
  if (!line.startsWith('{')) return { text: line, is_error: false }
  try {
    const { level, msg, error } = JSON.parse(line)
    const reason = error && (error.message ?? [error.kind, error.code].filter(Boolean).join(' '))
    return { text: reason ? `${msg} (${reason})` : (msg ?? line), is_error: level === 'error' || level === 'fatal' }
  } catch {
    return { text: line, is_error: false } // cut off by the end of the program
  }
}
