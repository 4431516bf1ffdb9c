import type { Replica, ServiceReplicas } from '../replicas/service-replicas.ts'

const probeTimeoutMs = 1_000

/** Whether every process is ready and, if it uses Redis, connected to a Redis that it can write to. */
export async function areAllConnected({ replicas }: Pick<ServiceReplicas, 'replicas'>): Promise<boolean> {
  const states = await Promise.all(replicas.map(isConnected))
  return states.every(Boolean)
}

async function isConnected({ operations }: Replica): Promise<boolean> {
  const read = async (path: string) => {
    const response = await fetch(`${operations()}/${path}`, { signal: AbortSignal.timeout(probeTimeoutMs) })
    return { ok: response.ok, text: await response.text() }
  }
  try {
    const [ready, metrics] = await Promise.all([read('readyz'), read('metrics')])
    return ready.ok && !/^sociallogin_redis_connected(\{[^}]*\})? 0$/m.test(metrics.text)
  } catch {
    return false
  }
}
