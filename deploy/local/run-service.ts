import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, childFailure, freePort, startChild } from '#local'
import type { Environment } from '#runtime'
import type { Places } from './places.ts'
import type { ServiceDescription } from './services.ts'
import { root } from './settings.ts'
import type { Wiring } from './wiring.ts'

const readyDeadlineMs = 60_000
const pollMs = 50
/** Longer than a service gives itself, so that it ends by its own account. */
const stopDeadlineMs = 35_000
const buildStopDeadlineMs = 5_000

/** The variables of this process that every program gets. */
const passedOn = ['PATH', 'HOME', 'TZ', 'LANG', 'TMPDIR', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE']

export interface StartedService extends Child {
  readonly name: string
  /** Base address of its operations port. */
  readonly operations: string
  /** Resolves when the service says that it can serve; throws a sentence when it ends before or takes too long. */
  readonly ready: (signal: AbortSignal) => Promise<void>
}

/** Starts a service in a process of its own, which ends by itself when this one is killed. */
export async function startService(
  service: ServiceDescription,
  { wiring, places }: { wiring: Wiring; places: Places },
): Promise<StartedService> {
  const operationsPort = await freePort()
  const operations = `http://127.0.0.1:${operationsPort}`
  const child = await runScript(service.script, {
    name: service.name,
    places,
    environment: {
      LOG_LEVEL: 'info',
      // Not reachable from other machines: providers are simulated, and a link signs in without a passkey.
      HOST: '127.0.0.1',
      ...service.environment(wiring),
      OPS_PORT: String(operationsPort),
    },
    stopDeadlineMs,
  })
  const readyAt = service.readyAt?.(wiring) ?? `${operations}/readyz`
  const ready = async (signal: AbortSignal) => {
    for (const until = Date.now() + readyDeadlineMs; Date.now() < until; await sleep(pollMs)) {
      signal.throwIfAborted()
      const ended = child.ended()
      if (ended !== undefined) throw childFailure(child, service.name, `ended with ${ended} instead of starting`)
      if (await saysReady(readyAt)) return
    }
    throw childFailure(child, service.name, `was not ready within ${readyDeadlineMs / 1000} s`)
  }
  return { ...child, name: service.name, operations, ready }
}

/** Builds the pages of the console, or until the signal. */
export async function buildConsole({ places, signal }: { places: Places; signal: AbortSignal }): Promise<void> {
  const child = await runScript('services/console/web/build.ts', {
    name: 'console-build',
    places,
    environment: {},
    stopDeadlineMs: buildStopDeadlineMs,
  })
  signal.addEventListener('abort', child.stop)
  await child.exited
  const ended = child.ended()
  if (ended !== 'exit code 0') throw childFailure(child, 'The build of the console', `ended with ${ended}`)
}

function runScript(
  script: string,
  options: { name: string; places: Places; environment: Environment; stopDeadlineMs: number },
): Promise<Child> {
  const { name, places, environment, stopDeadlineMs } = options
  return startChild({
    title: name,
    command: process.execPath,
    args: [script],
    log: places.log(name),
    pidFile: places.pidFile(name),
    environment: {
      ...Object.fromEntries(passedOn.map((variable) => [variable, process.env[variable]])),
      NODE_ENV: 'development',
      ...environment,
    },
    stopSignal: 'SIGTERM',
    stopDeadlineMs,
    lifeLine: 'ipc',
    workingDirectory: root,
  })
}

async function saysReady(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(2_000) })
    return response.ok
  } catch {
    return false // it does not listen yet
  }
}
