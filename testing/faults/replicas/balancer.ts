import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A process behind a balancer. */
export interface Target {
  readonly port: number
  /** The address of its operations port. */
  readonly operations: () => string
}

export interface Balancer extends AsyncDisposable {
  /** How many targets receive connections. */
  readonly readyTargets: () => number
}

const pollMs = 200
const probeTimeoutMs = 1_000

/**
 * A TCP balancer on 127.0.0.1 that follows `/readyz` of its targets, as a Kubernetes service does, and tries the next ready
 * target when one refuses the connection, as an ingress does. Without a ready target it resets connections.
 */
export async function startBalancer(port: number, targets: readonly Target[]): Promise<Balancer> {
  let ready: readonly Target[] = []
  let next = 0
  const sockets = new Set<Socket>()
  const probe = async () => {
    const answers = await Promise.all(targets.map(isReady))
    ready = targets.filter((_, index) => answers[index])
  }
  await probe()
  const polling = setInterval(() => void probe(), pollMs)

  const server = createServer({ noDelay: true }, (client) => {
    sockets.add(client)
    client.on('error', () => {}).on('close', () => sockets.delete(client))
    const first = next++
    const candidates = ready.map((_, index) => ready[(first + index) % ready.length]).filter((one) => one !== undefined)
    const tryNext = () => {
      const target = candidates.shift()
      if (target === undefined) return client.resetAndDestroy()
      const upstream = connect({ host: '127.0.0.1', port: target.port, noDelay: true })
      upstream.once('error', tryNext)
      upstream.once('connect', () => {
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
    readyTargets: () => ready.length,
    async [Symbol.asyncDispose]() {
      clearInterval(polling)
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

async function isReady({ operations }: Target): Promise<boolean> {
  try {
    const response = await fetch(`${operations()}/readyz`, { signal: AbortSignal.timeout(probeTimeoutMs) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
