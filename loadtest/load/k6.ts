import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Prepared } from '../seed/prepared.ts'
import { processorSeconds } from '../toolkit/processor-time.ts'
import { readSummary, type Summary } from './summary.ts'

export interface ScriptResult {
  readonly exit_code: number
  /** Absent when k6 could not run the script to a summary. */
  readonly summary: Summary | undefined
  /** CPU time that k6 took, until a second before its end. */
  readonly cpu_seconds: number
}

export interface ScriptOptions {
  readonly script: string
  readonly prepared: Prepared
  readonly minutes: number
  /** CPUs that k6 uses, in the notation of taskset(1); all by default. */
  readonly cpus?: string | undefined
  readonly signal: AbortSignal
}

/** k6's exit code for a crossed threshold. */
export const thresholdCrossed = 99

/** Runs a script, with k6's own progress on the terminal. */
export async function runScript(
  k6: string,
  { script, prepared, minutes, cpus, signal }: ScriptOptions,
): Promise<ScriptResult> {
  const directory = mkdtempSync(join(tmpdir(), 'load-'))
  try {
    const files = { prepared: join(directory, 'prepared.json'), summary: join(directory, 'summary.json') }
    writeFileSync(files.prepared, JSON.stringify(prepared), { mode: 0o600 })
    const command = [k6, 'run', join(import.meta.dirname, '../scripts', `${script}.ts`)]
    const [program = k6, ...rest] = cpus === undefined ? command : ['taskset', '-c', cpus, ...command]
    const child = spawn(program, rest, {
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
    let cpuSeconds = 0
    const sampling = setInterval(() => {
      cpuSeconds = Math.max(cpuSeconds, processorSeconds(child.pid ?? 0) || 0)
    }, 1_000)
    const stop = () => child.kill('SIGINT')
    signal.addEventListener('abort', stop)
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.on('error', reject)
      child.on('exit', (code) => resolve(code ?? 1))
    })
    clearInterval(sampling)
    signal.removeEventListener('abort', stop)
    return { exit_code: exitCode, summary: readIfThere(files.summary), cpu_seconds: cpuSeconds }
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
