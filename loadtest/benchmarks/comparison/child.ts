import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Environment } from '#runtime'

/** A process of the benchmark that reports over IPC and ends when this process ends. */
export interface BenchProcess extends AsyncDisposable {
  readonly pid: number
  readonly send: (message: object) => void
  /** The next message. Rejects if the process ends. */
  readonly receive: () => Promise<unknown>
}

export interface BenchProcessOptions {
  /** Path below `loadtest/benchmarks/comparison`. */
  readonly script: string
  /** File for its output. */
  readonly log: string
  readonly environment?: Environment
}

const passedOn = ['PATH', 'HOME', 'TZ', 'LANG', 'TMPDIR', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE']

/** Starts a script of the benchmark with the environment that the services of the product have. */
export function startBenchProcess({ script, log, environment = {} }: BenchProcessOptions): BenchProcess {
  mkdirSync(dirname(log), { recursive: true })
  const output = openSync(log, 'w', 0o600)
  const child = fork(join(import.meta.dirname, script), [], {
    stdio: ['ignore', output, output, 'ipc'],
    env: {
      ...Object.fromEntries(passedOn.map((name) => [name, process.env[name]])),
      NODE_ENV: 'development',
      ...environment,
    },
  })
  closeSync(output)
  const { pid } = child
  if (pid === undefined) throw new Error(`${script} could not be started.`)
  const receive = createReceiver(child, script, log)
  return {
    pid,
    send: (message) => void child.send(message),
    receive,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Messages in their order, also those that arrive before they are received. */
function createReceiver(child: ChildProcess, script: string, log: string): () => Promise<unknown> {
  const messages: unknown[] = []
  const waiting: PromiseWithResolvers<unknown>[] = []
  let end: Error | undefined
  child.on('message', (message) => {
    const first = waiting.shift()
    if (first === undefined) messages.push(message)
    else first.resolve(message)
  })
  child.on('exit', (code, signal) => {
    end = new Error(`${script} ended with ${signal ?? code}. Its log is ${log}.`)
    for (const one of waiting.splice(0)) one.reject(end)
  })
  return () => {
    if (messages.length > 0) return Promise.resolve(messages.shift())
    if (end !== undefined) return Promise.reject(end)
    const next = Promise.withResolvers<unknown>()
    waiting.push(next)
    return next.promise
  }
}
