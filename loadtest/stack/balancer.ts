import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Shares connections evenly among ports of this machine, as a Kubernetes Service does among pods. */
export interface Balancer extends AsyncDisposable {
  /** Gets connections from this moment. */
  readonly add: (port: number) => void
  /** Gets no new connections; those it has go on. */
  readonly remove: (port: number) => void
}

export async function startBalancer(port: number): Promise<Balancer> {
  const ports: number[] = []
  const sockets = new Set<Socket>()
  let turn = 0

  const server = createServer({ noDelay: true }, (caller) => {
    const port = ports[turn++ % ports.length]
    if (port === undefined) return void caller.destroy()
    const callee = connect({ port, host: '127.0.0.1', noDelay: true })
    for (const [socket, other] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      // The other one learns of it; whose fault it was is for the load generator to tell.
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.end()
      })
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    add: (port) => void ports.push(port),
    remove: (port) => void ports.splice(ports.indexOf(port), 1),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
