import { setTimeout as sleep } from 'node:timers/promises'
import { type ChildProcess, createChildError, findFreePort, startChild } from '#local'
import type { Environment } from '#runtime'
import type { Paths } from './paths.ts'
import type { ServiceDescription } from './services.ts'
import { root } from './settings.ts'
import type { Wiring } from './wiring.ts'

const readyDeadlineMs = 60_000
const pollMs = 50
/** Longer than a service's own deadline, so that the service ends by itself. */
const stopDeadlineMs = 35_000
const buildStopDeadlineMs = 5_000

/** Variables of this process that every program receives. */
const passedOn = ['PATH', 'HOME', 'TZ', 'LANG', 'TMPDIR', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE']

export interface StartOptions {
  readonly wiring: Wiring
  readonly paths: Paths
  /** Name of the service to start with Node's inspector on 127.0.0.1:9229. */
  readonly inspect?: string | undefined
}

export interface StartedService extends ChildProcess {
  readonly name: string
  /** Base address of its operations port. */
  readonly operations: string
  /** Resolves when the service is ready. @throws SetupError if it ends or takes too long */
  readonly ready: (signal: AbortSignal) => Promise<void>
}

/** Starts a service in a child process, which ends when this process is killed. */
export async function startService(
  service: ServiceDescription,
  { wiring, paths, inspect }: StartOptions,
): Promise<StartedService> {
  const operationsPort = await findFreePort()
  const operations = `http://127.0.0.1:${operationsPort}`
  const child = await runScript(service.script, {
    name: service.name,
    paths,
    environment: {
      LOG_LEVEL: 'info',
      // Not reachable from other machines, because providers are simulated and a link signs in without a passkey.
      HOST: '127.0.0.1',
      ...service.environment(wiring),
      OPS_PORT: String(operationsPort),
    },
    stopDeadlineMs,
    nodeArguments: [...(service.node_arguments ?? []), ...(inspect === service.name ? ['--inspect'] : [])],
  })
  const readyAt = service.readyAt?.(wiring) ?? `${operations}/readyz`
  const ready = async (signal: AbortSignal) => {
    for (const until = Date.now() + readyDeadlineMs; Date.now() < until; await sleep(pollMs)) {
      signal.throwIfAborted()
      const ended = child.ended()
      if (ended !== undefined) throw createChildError(child, service.name, `ended with ${ended} instead of starting`)
      if (await saysReady(readyAt)) return
    }
    throw createChildError(child, service.name, `was not ready within ${readyDeadlineMs / 1000} s`)
  }
  return { ...child, name: service.name, operations, ready }
}

/** Builds the pages of the console. The signal stops it. */
export async function buildConsole({ paths, signal }: { paths: Paths; signal: AbortSignal }): Promise<void> {
  const child = await runScript('services/console/web/build.ts', {
    name: 'console-build',
    paths,
    environment: {},
    stopDeadlineMs: buildStopDeadlineMs,
  })
  signal.addEventListener('abort', child.stop)
  await child.exited
  const ended = child.ended()
  if (ended !== 'exit code 0') throw createChildError(child, 'The build of the console', `ended with ${ended}`)
}

function runScript(
  script: string,
  options: {
    name: string
    paths: Paths
    environment: Environment
    stopDeadlineMs: number
    nodeArguments?: readonly string[]
  },
): Promise<ChildProcess> {
  const { name, paths, environment, stopDeadlineMs, nodeArguments = [] } = options
  return startChild({
    title: name,
    command: process.execPath,
    args: [...nodeArguments, script],
    log: paths.log(name),
    pidFile: paths.pidFile(name),
    environment: {
      ...Object.fromEntries(passedOn.map((variable) => [variable, process.env[variable]])),
      NODE_ENV: 'development',
      ...environment,
    },
    stopSignal: 'SIGTERM',
    stopDeadlineMs,
    stopsWithParentBy: 'ipc',
    workingDirectory: root,
  })
}

async function saysReady(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(2_000) })
    return response.ok
  } catch {
    return false // not listening yet
  }
}
