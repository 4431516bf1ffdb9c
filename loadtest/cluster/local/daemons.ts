import { spawn } from 'node:child_process'
import { mkdirSync, openSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createChildError } from '#local'
import type { ClusterToolName } from '../../../deploy/tools/cluster-tools.ts'

const readyMs = 60_000
const pollMs = 100

/** Starts the programs of the node and finds out why the node is not ready. They end with the namespaces of this process. */
export class Daemons {
  readonly #programs: string
  readonly #logs: string
  readonly #ended = new Map<string, { readonly log: string; readonly how: string }>()

  /**
   * @param programs folder with the programs
   * @param logs folder for their output
   */
  constructor(programs: string, logs: string) {
    this.#programs = programs
    this.#logs = logs
    mkdirSync(logs, { recursive: true })
  }

  start(name: ClusterToolName, args: readonly string[]): void {
    const log = join(this.#logs, `${name}.log`)
    const output = openSync(log, 'w')
    const environment = { PATH: `${this.#programs}${delimiter}${process.env.PATH}`, HOME: '/run' }
    const child = spawn(join(this.#programs, name), args, { env: environment, stdio: ['ignore', output, output] })
    const end = (how: string) => this.#ended.set(name, { log, how })
    child.on('error', (error) => end(error.message))
    child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`))
  }

  /** Resolves when the check returns true. @throws SetupError if a program has ended, or after a minute */
  async waitUntil(what: string, isReady: () => Promise<boolean>): Promise<void> {
    const until = performance.now() + readyMs
    while (!(await isReady())) {
      this.throwIfEnded()
      if (performance.now() > until)
        throw createChildError({ log: this.#logs }, 'The cluster', `has no ${what} after ${readyMs / 1_000} s`)
      await delay(pollMs)
    }
  }

  /** @throws SetupError if a program has ended */
  throwIfEnded(): void {
    for (const [name, { log, how }] of this.#ended) throw createChildError({ log }, name, `has ended: ${how}`)
  }
}

export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
