import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, runningPid } from '#local'
import { root } from '../settings.ts'

export interface Launched {
  /** Resolves when it says that it is ready; rejects with all it said when it ends before. */
  readonly ready: Promise<void>
  /** What it said until it ended, and its exit code. */
  readonly over: Promise<{ code: number | null; said: string }>
  /** Sends a signal to the whole process group, as a terminal does. */
  readonly send: (signal: NodeJS.Signals) => void
  /** Resolves when the text was said. */
  readonly says: (text: string) => Promise<void>
}

/** Runs one of the scripts as npm does, with an environment of its own. */
export function launch(script: 'start' | 'reset', environment: NodeJS.ProcessEnv): Launched {
  const { DATABASE_URL: _database, REDIS_URL: _redis, NATS_URL: _nats, ...inherited } = process.env
  const child = spawn(process.execPath, ['deploy/local/packages.js', `deploy/local/${script}.ts`], {
    cwd: root,
    env: { ...inherited, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const heard = new EventTarget()
  const hear = (text: string) => {
    said += text
    heard.dispatchEvent(new Event('more'))
  }
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  const over = once(child, 'close').then(() => ({ code: child.exitCode, said }))
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => said.includes(text) && resolve()
      heard.addEventListener('more', look)
      look()
      void over.then(() => reject(new Error(`It ended without saying "${text}":\n${said}`)))
    })
  const ready = says('Ctrl-C stops everything')
  ready.catch(() => {}) // not every test waits for it
  return { over, ready, says, send: (signal) => void (child.pid && process.kill(-child.pid, signal)) }
}

/** Ports of its own for a start, and where it keeps its things. */
export async function ownPlaces(directory: string) {
  const [webApi, auth, simulator, shop, console] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
    freePort(),
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
export function runningIn(directory: string): string[] {
  const folders = ['run', 'postgres', 'redis', 'nats'].map((name) => join(directory, name)).filter(existsSync)
  const files = folders.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
  return files.filter((file) => file.endsWith('.pid') && runningPid(file) !== undefined).sort()
}

export function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
