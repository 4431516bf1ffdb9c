import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below what systems give to outgoing connections (32768 on Linux, 49152 elsewhere): else a client that tries to connect
 * to a server while it is away could be given the server's own port, and keep it from coming back.
 */
const lowest = 15_000
const highest = 32_000

/** A TCP port that nobody uses at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
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
    const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
    if (code === 'EADDRINUSE') return false
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return true // a machine without IPv6
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}
