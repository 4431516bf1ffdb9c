import type { Balancer } from '../../toolkit/stack/balancer.ts'

/** A process behind a balancer. */
export interface Target {
  readonly port: number
  /** The address of its operations port. */
  readonly operations: () => string
}

const pollMs = 200
const probeTimeoutMs = 1_000

/** Gives the balancer those targets whose `/readyz` succeeds, as a Kubernetes Service does; resolves after the first look. */
export async function followReadiness(balancer: Balancer, targets: readonly Target[]): Promise<Disposable> {
  const ready = new Set<Target>()
  const probe = async (target: Target) => {
    const isNowReady = await isReady(target)
    if (isNowReady === ready.has(target)) return
    balancer[isNowReady ? 'add' : 'remove'](target.port)
    ready[isNowReady ? 'add' : 'delete'](target)
  }
  const probeAll = () => Promise.all(targets.map(probe))
  await probeAll()
  const polling = setInterval(() => void probeAll(), pollMs)
  return { [Symbol.dispose]: () => clearInterval(polling) }
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
