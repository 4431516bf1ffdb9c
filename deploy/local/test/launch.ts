import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort, runningPid } from '#local'
import { root } from '../settings.ts'

export interface Launched {
  /** Resolves when it is ready; rejects with its output if it ends before. */
  readonly ready: Promise<void>
  /** Its output and exit code. */
  readonly ended: Promise<{ code: number | null; output: string }>
  /** Sends a signal to the whole process group, as a terminal does. */
  readonly send: (signal: NodeJS.Signals) => void
  /** Resolves when it has printed the text. */
  readonly printed: (text: string) => Promise<void>
}

/** Runs one of the scripts as npm does, with its own environment. */
export function launch(
  script: 'start' | 'reset',
  environment: NodeJS.ProcessEnv,
  ...options: readonly string[]
): Launched {
  const { DATABASE_URL: _database, REDIS_URL: _redis, NATS_URL: _nats, ...inherited } = process.env
  const child = spawn(process.execPath, ['deploy/local/run.js', `deploy/local/${script}.ts`, ...options], {
    cwd: root,
    env: { ...inherited, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const events = new EventTarget()
  const append = (text: string) => {
    output += text
    events.dispatchEvent(new Event('more'))
  }
  child.stdout.setEncoding('utf8').on('data', append)
  child.stderr.setEncoding('utf8').on('data', append)
  const over = once(child, 'close').then(() => ({ code: child.exitCode, output }))
  const waitForOutput = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => output.includes(text) && resolve()
      events.addEventListener('more', check)
      check()
      void over.then(() => reject(new Error(`It ended without printing "${text}":\n${output}`)))
    })
  const ready = waitForOutput('Press Ctrl-C to stop')
  ready.catch(() => {}) // not every test waits for it
  return {
    ended: over,
    ready,
    printed: waitForOutput,
    send: (signal) => void (child.pid && process.kill(-child.pid, signal)),
  }
}

/** Settings with free ports and a data directory for one start. */
export async function createLocalSettings(directory: string) {
  const [webApi, auth, simulator, shop, console] = await Promise.all([
    findFreePort(),
    findFreePort(),
    findFreePort(),
    findFreePort(),
    findFreePort(),
  ])
  return {
    LOCAL_DIRECTORY: directory,
    WEB_API_PORT: String(webApi),
    AUTH_PORT: String(auth),
    SIMULATOR_PORT: String(simulator),
    SHOP_PORT: String(shop),
    CONSOLE_PORT: String(console),
  }
}

/** Names of the programs of a start that are running. */
export function findRunningPrograms(directory: string): string[] {
  const folders = ['run', 'postgres', 'redis', 'nats'].map((name) => join(directory, name)).filter(existsSync)
  const files = folders.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
  return files.filter((file) => file.endsWith('.pid') && runningPid(file) !== undefined).sort()
}

export function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
