import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, type ChildDescription, childFailure, startChild } from './child.ts'
import { freePort } from './free-port.ts'
import { lastWords } from './last-words.ts'

const readyDeadlineMs = 60_000
const pollMs = 5
const attempts = 5

export interface Server extends Child {
  readonly port: number
}

export interface ServerDescription extends Omit<ChildDescription, 'args'> {
  /** Listen here; otherwise on a free port. */
  readonly port: number | undefined
  readonly args: (port: number) => readonly string[]
  /** Matches its log when it accepts connections. */
  readonly ready: RegExp
  /** Matches the log of a program that ended for a reason that passes by itself. */
  readonly passing: RegExp
}

/** Starts a program that listens on a port, and resolves when it is ready. A free port may be taken by another program in between: then the next. */
export async function startServer(server: ServerDescription): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = server.port ?? (await freePort())
    const child = await startChild({ ...server, args: server.args(port) })
    if (await becomesReady(child, server)) return { ...child, port }
    const again = attempt < attempts && server.passing.test(lastWords(child.log, 20))
    if (!again) throw childFailure(child, server.title, `ended with ${child.ended()} instead of starting`)
    await sleep(100 * attempt)
  }
}

async function becomesReady(child: Child, server: ServerDescription): Promise<boolean> {
  for (const until = Date.now() + readyDeadlineMs; Date.now() < until; await sleep(pollMs)) {
    if (child.ended() !== undefined) return false
    if (server.ready.test(await readFile(child.log, 'utf8'))) return true
  }
  await child.stop()
  throw childFailure(child, server.title, `was not ready within ${readyDeadlineMs / 1000} s`)
}
