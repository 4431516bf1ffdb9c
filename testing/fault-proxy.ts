import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What a fault proxy does with the bytes of its connections. */
export type ProxyMode = 'forward' | 'black-hole'

/** A TCP proxy in front of a server, through which a test makes the network fail. */
export interface FaultProxy extends AsyncDisposable {
  /** The server's URL with the proxy's address. */
  readonly url: string
  /**
   * `black-hole` accepts connections and reads, but forwards nothing and closes nothing, in both directions. Connections that
   * were opened before stay silent after `forward`, like those of a network that lost their state.
   */
  readonly setMode: (mode: ProxyMode) => void
  /** Resets all connections. */
  readonly cut: () => void
}

export async function startFaultProxy(url: string): Promise<FaultProxy> {
  const target = new URL(url)
  let mode: ProxyMode = 'forward'
  const pairs = new Set<{ readonly sockets: readonly Socket[]; silent: boolean }>()
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) })
    const pair = { sockets: [client, upstream], silent: mode === 'black-hole' }
    pairs.add(pair)
    const forward = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        if (!pair.silent) to.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => {
        if (pair.silent && from === upstream) return
        pairs.delete(pair)
        to.destroy()
      })
    }
    forward(client, upstream)
    forward(upstream, client)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  const proxied = new URL(url)
  proxied.hostname = 'localhost'
  // A listening server on TCP has an address.
  proxied.port = String((server.address() as AddressInfo).port)
  const cut = () => {
    for (const { sockets } of pairs) for (const socket of sockets) socket.resetAndDestroy()
    pairs.clear()
  }
  return {
    url: proxied.href,
    setMode(next) {
      mode = next
      if (next === 'black-hole') for (const pair of pairs) pair.silent = true
    },
    cut,
    async [Symbol.asyncDispose]() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}
