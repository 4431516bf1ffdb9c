import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChildProcess, type ChildProcessOptions, createChildError, startChild } from './child-process.ts'
import { findFreePort } from './free-port.ts'
import { readLogTail } from './log-tail.ts'

const readyDeadlineMs = 60_000
const pollMs = 5
const attempts = 5

export interface ServerProcess extends ChildProcess {
  readonly port: number
}

export interface ServerOptions extends Omit<ChildProcessOptions, 'args'> {
  /** By default a free port. */
  readonly port: number | undefined
  readonly args: (port: number) => readonly string[]
  /** Matches the log when the server accepts connections. */
  readonly ready: RegExp
  /** Matches the log of a server that ended because of a temporary error. */
  readonly transientError: RegExp
}

/** Starts a server and resolves when it is ready. Tries another port if another program has taken the free one. */
export async function startServer(server: ServerOptions): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt++) {
    const port = server.port ?? (await findFreePort())
    const child = await startChild({ ...server, args: server.args(port) })
    if (await becomesReady(child, server)) return { ...child, port }
    const again = attempt < attempts && server.transientError.test(readLogTail(child.log, 20))
    if (!again) throw createChildError(child, server.title, `ended with ${child.ended()} instead of starting`)
    await sleep(100 * attempt)
  }
}

async function becomesReady(child: ChildProcess, server: ServerOptions): Promise<boolean> {
  for (const until = Date.now() + readyDeadlineMs; Date.now() < until; await sleep(pollMs)) {
    if (child.ended() !== undefined) return false
    if (server.ready.test(await readFile(child.log, 'utf8'))) return true
  }
  await child.stop()
  throw createChildError(child, server.title, `was not ready within ${readyDeadlineMs / 1000} s`)
}
