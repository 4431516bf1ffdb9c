import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Prepared } from '../seed/prepared.ts'
import { readSummary, type Summary } from './summary.ts'

export interface ScriptResult {
  readonly exit_code: number
  /** Absent when k6 could not run the script to a summary. */
  readonly summary: Summary | undefined
}

/** k6's exit code for a crossed threshold. */
export const thresholdCrossed = 99

/** Runs a script, with k6's own progress on the terminal. */
export async function runScript(
  k6: string,
  { script, prepared, minutes, signal }: { script: string; prepared: Prepared; minutes: number; signal: AbortSignal },
): Promise<ScriptResult> {
  const directory = mkdtempSync(join(tmpdir(), 'load-'))
  try {
    const files = { prepared: join(directory, 'prepared.json'), summary: join(directory, 'summary.json') }
    writeFileSync(files.prepared, JSON.stringify(prepared), { mode: 0o600 })
    const child = spawn(k6, ['run', join(import.meta.dirname, '../scripts', `${script}.ts`)], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        PREPARED: files.prepared,
        SUMMARY: files.summary,
        MINUTES: String(minutes),
        K6_AUTO_EXTENSION_RESOLUTION: 'false',
        K6_NO_USAGE_REPORT: 'true',
      },
    })
    const stop = () => child.kill('SIGINT')
    signal.addEventListener('abort', stop)
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.on('error', reject)
      child.on('exit', (code) => resolve(code ?? 1))
    })
    signal.removeEventListener('abort', stop)
    return { exit_code: exitCode, summary: readIfThere(files.summary) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function readIfThere(file: string): Summary | undefined {
  try {
    return readSummary(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
