import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { removePidFile, runningPid, writePidFile } from './pid-file.ts'

/**
 * Below the range of outgoing connections (from 32768 on Linux, from 49152 elsewhere): otherwise a client that connects to
 * a stopped server could receive the server's own port and prevent its restart.
 */
const defaultRange = { lowest: 15_000, highest: 32_000 }

/** Contains a file for each reserved port, which names the process. */
const reservations = join(tmpdir(), `social-login-ports-${userInfo().uid}`)
const ownReservations: string[] = []

/**
 * Reserves a TCP port that no program uses. The port belongs to this process until it ends, also before a server listens on
 * it and while the server restarts.
 *
 * @param range `highest` excluded
 */
export async function findFreePort({ lowest, highest } = defaultRange): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    // Reserved first: only the process that a port belongs to may listen on it, even to try it.
    if (reserve(port) && (await isPortFree(port))) return port
  }
}

/** @returns false if the port is reserved already */
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
  if (ownReservations.length === 0) process.once('exit', () => ownReservations.forEach(removePidFile))
  ownReservations.push(file)
  return true
}

/** Tries every address that a program can listen on: on some systems different programs can have `::` and 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1', '::', '0.0.0.0']) if (!(await canListen(port, host))) return false
  return true
}

async function canListen(port: number, host: string): Promise<boolean> {
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
