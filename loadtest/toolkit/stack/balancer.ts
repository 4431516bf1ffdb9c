import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Balances connections over ports of this machine, as a Kubernetes Service does over pods. */
export interface Balancer extends AsyncDisposable {
  /** Starts to send connections to a port. */
  readonly add: (port: number) => void
  /** Stops sending new connections to a port; existing ones remain. */
  readonly remove: (port: number) => void
}

/**
 * Starts a TCP balancer on 127.0.0.1. It tries the next port when one refuses the connection, as an ingress does, and resets
 * connections that no port accepts.
 */
export async function startBalancer(port: number): Promise<Balancer> {
  const ports: number[] = []
  const sockets = new Set<Socket>()
  let turn = 0

  const server = createServer({ noDelay: true }, (client) => {
    sockets.add(client)
    client.on('error', () => {}).on('close', () => sockets.delete(client))
    const first = turn++ % Math.max(1, ports.length)
    const candidates = [...ports.slice(first), ...ports.slice(0, first)]
    const tryNext = () => {
      const candidate = candidates.shift()
      if (candidate === undefined) return client.resetAndDestroy()
      const upstream = connect({ host: '127.0.0.1', port: candidate, noDelay: true })
      upstream.once('error', tryNext)
      upstream.once('connect', () => {
        // The client sees the closed connection and reports the failure.
        upstream.off('error', tryNext).on('error', () => client.resetAndDestroy())
        upstream.on('close', () => client.destroy())
        client.on('close', () => upstream.destroy())
        client.pipe(upstream).pipe(client)
      })
    }
    tryNext()
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    add: (added) => void ports.push(added),
    remove: (removed) => void ports.splice(ports.indexOf(removed), 1),
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
