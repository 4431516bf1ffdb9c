import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Balances connections over ports of this machine, as a Kubernetes Service does over pods. */
export interface Balancer extends AsyncDisposable {
  /** Starts to send connections to a port. */
  readonly add: (port: number) => void
  /** Stops sending new connections to a port; existing ones remain. */
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
      // The peer sees the closed connection; the load generator reports failures.
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
