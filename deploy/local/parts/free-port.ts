import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { removePidFile, runningPid, writePidFile } from './pid-file.ts'

/**
 * Below what systems give to outgoing connections (32768 on Linux, 49152 elsewhere): else a client that tries to connect
 * to a server while it is away could be given the server's own port, and keep it from coming back.
 */
const usual = { lowest: 15_000, highest: 32_000 }

/** Has a file for each port that was given to a process, which names the process. */
const reservations = join(tmpdir(), `social-login-ports-${userInfo().uid}`)
const own: string[] = []

/**
 * A TCP port that no program uses and that no other process was given. It is this process's until it ends, also before a
 * server listens there and while the server is restarted.
 *
 * @param range `highest` excluded
 */
export async function freePort({ lowest, highest } = usual): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    if ((await isFree(port)) && reserve(port)) return port
  }
}

/** @returns false when the port is another process's, or was given to this one before */
function reserve(port: number): boolean {
  const file = join(reservations, String(port))
  if (runningPid(file) !== undefined) return false
  mkdirSync(reservations, { recursive: true })
  removePidFile(file)
  try {
    writePidFile(file, process.pid, 'wx')
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false // another process was faster
    throw error
  }
  if (own.length === 0) process.once('exit', () => own.forEach(removePidFile))
  own.push(file)
  return true
}

/** Asks at each address a program could be listening on: some systems let one have `::` and another 127.0.0.1. */
export async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1', '::', '0.0.0.0']) if (!(await mayListen(port, host))) return false
  return true
}

async function mayListen(port: number, host: string): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen({ port, host, exclusive: true }), 'listening')
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EADDRINUSE') return false
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return true // a machine without IPv6
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, 'code') : undefined
}
