import { createOwnServers } from '../../../deploy/local/dependencies.ts'
import { findPublicPorts } from '../../../deploy/local/find-public-ports.ts'
import { createPaths } from '../../../deploy/local/paths.ts'
import { readSettings } from '../../../deploy/local/settings.ts'
import { supervise } from '../../../deploy/local/supervise.ts'
import { type ControlledServer, controlServer } from '../../../testing/controlled-server.ts'
import type { ServerName } from '../../toolkit/stack/server-pids.ts'
import { startInfrastructureOn, startStackPostgres } from '../../toolkit/stack/stack-postgres.ts'
import { type ReplicasOptions, type ServiceReplicas, startReplicas } from './service-replicas.ts'

/** The product with several processes of each service, on one PostgreSQL, NATS and Redis. */
export interface ReplicatedStack extends ServiceReplicas {
  readonly servers: Readonly<Record<ServerName, ControlledServer>>
}

export async function startReplicatedStack(directory: string, options: ReplicasOptions): Promise<ReplicatedStack> {
  const { step, interruption } = options
  await using starting = new AsyncDisposableStack()
  const postgres = starting.use(await startStackPostgres(directory, { durable: true }))
  const settings = readSettings({
    ...(await findPublicPorts()),
    LOCAL_DIRECTORY: directory,
    DATABASE_URL: postgres.url,
  })
  const paths = createPaths(directory)
  const supervision = supervise(starting)
  const infrastructure = { supervision, step, interruption }
  const { wiring, secrets } = await startInfrastructureOn(postgres, [settings, paths, infrastructure])
  const own = createOwnServers(paths, secrets)
  const control = (name: 'nats' | 'redis', url: string) =>
    starting.use(controlServer({ url, pidFile: `${paths[name]}/${name}.pid`, start: own[name] }))
  const [coordinator] = postgres.servers
  if (coordinator === undefined) throw new Error('No PostgreSQL was started.')
  const { pidFile, start } = coordinator
  const servers = {
    // On Citus, the coordinator.
    postgres: starting.use(controlServer({ url: postgres.url, pidFile, start })),
    nats: control('nats', wiring.natsUrlOf('identity')),
    redis: control('redis', wiring.redisUrl),
  }
  const replicas = starting.use(await startReplicas({ wiring, paths, secrets }, options))
  const stack = starting.move()
  return { ...replicas, servers, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
