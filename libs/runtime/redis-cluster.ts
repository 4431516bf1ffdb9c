import type { Cluster, Redis } from 'ioredis'
import { createServerOptions, type RedisConfig, type RedisDeadlines } from './redis-options.ts'

/** How often the client reads which master has which slots: usually, and while a master is missing. Our choice. */
const refreshMs = 10_000
const urgentRefreshMs = 250

/** Whether every master of a cluster can be used. */
export interface ClusterWatch {
  readonly isUsable: () => boolean
  /** Resolves when that is so, now or later. */
  readonly whenUsable: () => Promise<void>
  readonly onLoss: (listener: () => void) => void
  readonly onRecovery: (listener: () => void) => void
  readonly stop: () => void
}

/** Creates a client of a Redis Cluster, which learns the other servers from those of `REDIS_URL`. It does not connect yet. */
export function openCluster(
  { Cluster }: Pick<typeof import('ioredis'), 'Cluster'>,
  config: RedisConfig,
  { retryStrategy, ...deadlines }: RedisDeadlines,
): { readonly client: Cluster; readonly watch: ClusterWatch } {
  const client = new Cluster([...config.REDIS_URL.servers], {
    lazyConnect: true,
    enableOfflineQueue: false,
    // A command that failed must not be sent later. Redirected commands were not executed, so they are sent again.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshInterval: refreshMs,
    clusterRetryStrategy: retryStrategy,
    // Certificates have the names of servers, which would be lost.
    dnsLookup: (host, resolve) => resolve(null, host),
    redisOptions: {
      ...createServerOptions(config),
      ...deadlines,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
    },
  })
  return { client, watch: watchCluster(client) }
}

/**
 * Connects to every server of a cluster before it is needed, so that a replica that becomes a master can be used at once,
 * and reads the slots again and again while a master is missing.
 */
function watchCluster(cluster: Cluster): ClusterWatch {
  const losses: (() => void)[] = []
  const recoveries: (() => void)[] = []
  let isUsable = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const checkRecovery = () => {
    if (isUsable || isStopped || !areMastersReady(cluster)) return
    isUsable = true
    clearInterval(timer)
    for (const listener of recoveries) listener()
  }
  const checkLoss = () => {
    if (!isUsable || isStopped || areMastersReady(cluster)) return
    isUsable = false
    timer = setInterval(() => {
      if (cluster.status === 'ready') cluster.refreshSlotsCache()
    }, urgentRefreshMs)
    for (const listener of losses) listener()
  }
  const connectAll = () => {
    // The client's own check of the cluster needs a server to which it is not connecting.
    if (cluster.status !== 'ready') return
    // Errors are reported by the event of their server.
    for (const server of cluster.nodes()) if (server.status === 'wait') server.connect().catch(() => {})
    checkRecovery()
  }
  cluster.on('refresh', connectAll)
  cluster.on('ready', connectAll)
  cluster.on('+node', (server: Redis) => server.on('ready', checkRecovery))
  cluster.on('-node', checkLoss)
  cluster.on('close', checkLoss)
  return {
    isUsable: () => isUsable,
    whenUsable: () => new Promise((resolve) => (isUsable ? resolve() : recoveries.push(resolve))),
    onLoss: (listener) => losses.push(listener),
    onRecovery: (listener) => recoveries.push(listener),
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}

/** Whether the client is connected to the master of every slot that it knows. */
function areMastersReady(cluster: Cluster): boolean {
  if (cluster.status !== 'ready' || cluster.slots.length === 0) return false
  const masters = cluster.nodes('master').filter(({ status }) => status === 'ready')
  const ready = new Set(masters.map(({ options }) => `${options.host}:${options.port}`))
  return cluster.slots.every(([master = '']) => ready.has(master))
}
