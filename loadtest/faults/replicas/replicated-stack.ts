import { createOwnServers } from '../../../deploy/local/dependencies.ts'
import { findPublicPorts } from '../../../deploy/local/find-public-ports.ts'
import { startInfrastructure } from '../../../deploy/local/infrastructure.ts'
import { createPaths, type Paths } from '../../../deploy/local/paths.ts'
import { readSettings } from '../../../deploy/local/settings.ts'
import { supervise } from '../../../deploy/local/supervise.ts'
import { type ControlledServer, controlServer } from '../../../testing/controlled-server.ts'
import type { ServerName } from '../../toolkit/stack/server-pids.ts'
import { type ReplicasOptions, type ServiceReplicas, startReplicas } from './service-replicas.ts'

/** The product with several processes of each service, on one PostgreSQL, NATS and Redis. */
export interface ReplicatedStack extends ServiceReplicas {
  readonly servers: Readonly<Record<ServerName, ControlledServer>>
}

export async function startReplicatedStack(directory: string, options: ReplicasOptions): Promise<ReplicatedStack> {
  const { step, interruption } = options
  await using starting = new AsyncDisposableStack()
  const settings = readSettings({ ...(await findPublicPorts()), LOCAL_DIRECTORY: directory })
  const paths = createPaths(directory)
  const supervision = supervise(starting)
  const { wiring, secrets } = await startInfrastructure(settings, paths, { supervision, step, interruption })
  const own = createOwnServers(paths, secrets)
  const control = (name: ServerName, url: string) =>
    starting.use(controlServer({ url, pidFile: pidFileOf(name, paths), start: own[name] }))
  const servers = {
    postgres: control('postgres', wiring.postgres_url),
    nats: control('nats', wiring.natsUrlOf('identity')),
    redis: control('redis', wiring.redisUrl),
  }
  const replicas = starting.use(await startReplicas({ wiring, paths, secrets }, options))
  const stack = starting.move()
  return { ...replicas, servers, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

function pidFileOf(name: ServerName, paths: Paths): string {
  return `${paths[name]}/${name}.pid`
}
