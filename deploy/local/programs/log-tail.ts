import { existsSync, readFileSync } from 'node:fs'

/** The end of a program's log for an error message: the last errors of JSON log lines, otherwise the last lines. */
export function readLogTail(log: string, count = 5): string {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  const read = lines.slice(-200).map(readLine)
  const errors = read.filter(({ isError }) => isError)
  const chosen = errors.length > 0 ? errors : read
  return chosen
    .slice(-count)
    .map(({ text }) => text)
    .join('\n')
    .trim()
}

/** Our services log `{ level, msg, error?: { kind, code?, message? } }`. Lines before their logger starts and lines of other programs are plain text. */
function readLine(line: string): { text: string; isError: boolean } {
  if (!line.startsWith('{')) return { text: line, isError: false }
  try {
    const { level, msg, error } = JSON.parse(line)
    const reason = error && (error.message ?? [error.kind, error.code].filter(Boolean).join(' '))
    return { text: reason ? `${msg} (${reason})` : (msg ?? line), isError: level === 'error' || level === 'fatal' }
  } catch {
    return { text: line, isError: false } // truncated by the end of the program
  }
}
