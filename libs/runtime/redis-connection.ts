import type { Cluster, Redis } from 'ioredis'
import { type ClusterWatch, openCluster } from './redis-cluster.ts'
import { explainClusterFailure } from './redis-cluster-failure.ts'
import { watchRedisFailures } from './redis-failure.ts'
import { createClientOptions, type RedisConfig, type RedisDeadlines } from './redis-options.ts'
import { UnusableServerError } from './unusable-server.ts'

/** A client of one server of Redis, of the master that sentinels name, or of a cluster. */
export type RedisClient = Redis | Cluster

/**
 * A client that connects again until it is closed. While a server is unavailable, its commands fail immediately: they are
 * neither queued nor sent twice.
 */
export interface RedisConnection {
  readonly client: RedisClient
  /** Connects. Rejects if the first attempt fails; the client tries again. */
  readonly connect: () => Promise<void>
  /** Whether Redis can be used; every master of a cluster. */
  readonly isUsable: () => boolean
  /** Sets listeners for the moments when Redis cannot be used any more, and can be used again or for the first time. */
  readonly onLoss: (listener: () => void) => void
  readonly onRecovery: (listener: () => void) => void
  /** Why the client cannot connect; undefined if that is unknown. */
  readonly findFailure: () => Error | undefined
  /** The error of a service that cannot start without Redis. */
  readonly toUnusableError: (error: unknown) => Promise<UnusableServerError>
  /** Closes the connections at once; commands that wait fail. */
  readonly disconnect: () => void
}

const sharedOptions = {
  enableOfflineQueue: false,
  // A command that failed must not be sent later.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  lazyConnect: true,
} as const

/** Creates the client for `REDIS_URL`. It does not connect yet. */
export async function createRedisConnection(config: RedisConfig, deadlines: RedisDeadlines): Promise<RedisConnection> {
  // Services that do not use Redis do not load its client.
  const ioredis = await import('ioredis')
  if (config.REDIS_URL.isCluster) return connectToCluster(config, openCluster(ioredis, config, deadlines))
  const client = new ioredis.Redis({ ...createClientOptions(config), ...deadlines, ...sharedOptions })
  const findFailure = watchRedisFailures(client)
  const { servers, sentinel } = config.REDIS_URL
  return {
    client,
    connect: () => client.connect(),
    isUsable: () => client.status === 'ready',
    onLoss: (listener) => client.on('close', listener),
    onRecovery: (listener) => client.on('ready', listener),
    findFailure,
    toUnusableError: async (error) =>
      new UnusableServerError(sentinel === undefined ? 'Redis' : 'Redis Sentinel', servers, findFailure() ?? error),
    disconnect: () => client.disconnect(),
  }
}

function connectToCluster(config: RedisConfig, { client, watch }: { client: Cluster; watch: ClusterWatch }) {
  const findFailure = watchRedisFailures(client)
  return {
    client,
    connect: async () => {
      const whenUsable = watch.whenUsable()
      await client.connect()
      await whenUsable
    },
    isUsable: watch.isUsable,
    onLoss: watch.onLoss,
    onRecovery: watch.onRecovery,
    findFailure,
    async toUnusableError(error: unknown) {
      const failure = (await explainClusterFailure(config)) ?? findFailure() ?? error
      return new UnusableServerError('Redis Cluster', config.REDIS_URL.servers, failure)
    },
    disconnect() {
      watch.stop()
      client.disconnect()
    },
  }
}
