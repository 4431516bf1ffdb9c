import { once } from 'node:events'
import { createServer } from 'node:net'
import { LocalFailure } from '#local'
import type { Settings } from './settings.ts'

/** The faces that people and scripts use, on ports they know. */
const faces = [
  { title: 'Web API', variable: 'WEB_API_PORT' },
  { title: 'authorization', variable: 'AUTH_PORT' },
  { title: 'provider simulator', variable: 'SIMULATOR_PORT' },
  { title: 'demo shop', variable: 'SHOP_PORT' },
] as const

/** Throws a sentence unless the ports are all different and free. */
export async function checkPorts(settings: Settings): Promise<void> {
  for (const [index, { title, variable }] of faces.entries()) {
    const port = settings[variable]
    const same = faces.slice(0, index).find((other) => settings[other.variable] === port)
    if (same)
      throw new LocalFailure(`${same.variable} and ${variable} are both ${port}. Set one of them to another port.`)
    if (await isFree(port)) continue
    throw new LocalFailure(`Port ${port} (${title}) is in use. Stop the program that uses it or set ${variable}.`)
  }
}

/** Asks at each address a service could be listening on: some systems let one program have `::` and another 127.0.0.1. */
async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1', '::', '0.0.0.0']) if (!(await mayListen(port, host))) return false
  return true
}

async function mayListen(port: number, host: string): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen({ port, host, exclusive: true }), 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch (error) {
    const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
    if (code === 'EACCES') throw new LocalFailure(`Port ${port} needs more rights than you have. Choose one from 1024.`)
    return code !== 'EADDRINUSE' // a machine without IPv6 has no such address
  }
}
