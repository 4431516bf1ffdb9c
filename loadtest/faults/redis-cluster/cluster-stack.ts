import { join } from 'node:path'
import { findPublicPorts } from '../../../deploy/local/find-public-ports.ts'
import { startInfrastructure } from '../../../deploy/local/infrastructure.ts'
import { createPaths } from '../../../deploy/local/paths.ts'
import { readSettings } from '../../../deploy/local/settings.ts'
import { supervise } from '../../../deploy/local/supervise.ts'
import { type RedisCluster, startRedisCluster } from '../../../testing/redis-cluster.ts'
import { type ReplicasOptions, type ServiceReplicas, startReplicas } from '../replicas/service-replicas.ts'

/** The product with several processes of each service, on one PostgreSQL and NATS, and a Redis Cluster. */
export interface ClusterStack extends ServiceReplicas {
  readonly redis: RedisCluster
}

/** After which a silent server counts as failed. */
const nodeTimeoutMs = 2_000

export async function startClusterStack(
  directory: string,
  { step, interruption }: Pick<ReplicasOptions, 'step' | 'interruption'>,
): Promise<ClusterStack> {
  await using starting = new AsyncDisposableStack()
  const redis = starting.use(
    await step('Redis Cluster', () => startRedisCluster(join(directory, 'redis'), { replicas: 1, nodeTimeoutMs })),
  )
  const settings = readSettings({
    ...(await findPublicPorts()),
    LOCAL_DIRECTORY: directory,
    REDIS_URL: redis.url,
  })
  const paths = createPaths(directory)
  const supervision = supervise(starting)
  const { wiring, secrets } = await startInfrastructure(settings, paths, { supervision, step, interruption })
  const replicas = starting.use(await startReplicas({ wiring, paths, secrets }, { step, interruption, proxied: false }))
  const stack = starting.move()
  return { ...replicas, redis, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
