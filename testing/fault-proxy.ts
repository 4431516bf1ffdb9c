import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What a fault proxy does with the bytes of its connections.
 *
 * - `black-hole` accepts connections and reads, but forwards nothing and closes nothing, in both directions. Connections that
 *   were opened before stay silent after `forward`, like those of a network that lost their state.
 * - `slow` delays every piece in each direction.
 * - `refuse` resets all connections, and new ones.
 */
export type ProxyMode = 'forward' | 'black-hole' | 'slow' | 'refuse'

/** A TCP proxy in front of a server, through which a test makes the network fail. */
export interface FaultProxy extends AsyncDisposable {
  /** The server's URL with the proxy's address. */
  readonly url: string
  readonly setMode: (mode: ProxyMode) => void
  /** Connects new connections to another server, as a service of Kubernetes does; others stay as they are. */
  readonly setTarget: (url: string) => void
  /** Resets all connections. */
  readonly cut: () => void
  /** Connections that were accepted so far. */
  readonly countAccepted: () => number
}

interface Pair {
  readonly sockets: readonly Socket[]
  silent: boolean
}

export interface FaultProxyOptions {
  /** How long the mode `slow` delays the next piece. */
  readonly slowMs?: () => number
  /** Gets all bytes of both directions. */
  readonly observe?: (bytes: Buffer) => void
}

export async function startFaultProxy(
  url: string,
  { slowMs = () => 300, observe }: FaultProxyOptions = {},
): Promise<FaultProxy> {
  let target = new URL(url)
  let mode: ProxyMode = 'forward'
  let accepted = 0
  const pairs = new Set<Pair>()
  const forward = (from: Socket, to: Socket, pair: Pair) => {
    /** Delayed pieces. Later ones wait for them, also when the mode has changed. */
    const delayed: { readonly bytes: Buffer; readonly dueAt: number }[] = []
    const writeDue = () => {
      for (let next = delayed[0]; next !== undefined; next = delayed[0]) {
        const leftMs = next.dueAt - performance.now()
        if (leftMs > 0) return void setTimeout(writeDue, leftMs)
        to.write(next.bytes)
        delayed.shift()
      }
    }
    from.on('data', (bytes) => {
      observe?.(bytes)
      if (pair.silent) return
      if (mode !== 'slow' && delayed.length === 0) return void to.write(bytes)
      delayed.push({ bytes, dueAt: performance.now() + (mode === 'slow' ? slowMs() : 0) })
      if (delayed.length === 1) writeDue()
    })
    from.on('error', () => {})
    from.on('close', () => {
      if (pair.silent && pair.sockets.indexOf(from) === 1) return
      pairs.delete(pair)
      to.destroy()
    })
  }
  const server = createServer({ noDelay: true }, (client) => {
    accepted++
    if (mode === 'refuse') {
      client.on('error', () => {}).resetAndDestroy()
      return
    }
    const upstream = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    const pair = { sockets: [client, upstream], silent: mode === 'black-hole' }
    pairs.add(pair)
    forward(client, upstream, pair)
    forward(upstream, client, pair)
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
      if (next === 'refuse') cut()
    },
    setTarget(next) {
      target = new URL(next)
    },
    cut,
    countAccepted: () => accepted,
    async [Symbol.asyncDispose]() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}
