import { findPublicPorts } from '../../../deploy/local/find-public-ports.ts'
import { startInfrastructure } from '../../../deploy/local/infrastructure.ts'
import { createPaths } from '../../../deploy/local/paths.ts'
import { readSettings } from '../../../deploy/local/settings.ts'
import { supervise } from '../../../deploy/local/supervise.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../../../testing/replicated-postgres.ts'
import { type ReplicasOptions, type ServiceReplicas, startReplicas } from '../replicas/service-replicas.ts'

/** The product with several processes of each service, on a PostgreSQL with a replica for reads. */
export interface ReadReplicaStack extends ServiceReplicas {
  readonly postgres: ReplicatedPostgres
}

/** Services that read from the replica. */
export const replicaReaders = ['identity', 'profile']

export async function startReadReplicaStack(
  directory: string,
  { step, interruption }: Pick<ReplicasOptions, 'step' | 'interruption'>,
): Promise<ReadReplicaStack> {
  await using starting = new AsyncDisposableStack()
  const postgres = starting.use(await step('PostgreSQL with a replica', () => startReplicatedPostgres()))
  const settings = readSettings({
    ...(await findPublicPorts()),
    LOCAL_DIRECTORY: directory,
    DATABASE_URL: postgres.url,
  })
  const paths = createPaths(directory)
  const supervision = supervise(starting)
  const { wiring, secrets } = await startInfrastructure(settings, paths, { supervision, step, interruption })
  const environmentOf = (service: string) => {
    const url = replicaReaders.includes(service) ? wiring.database_urls.get(service) : undefined
    return url === undefined ? {} : { DATABASE_REPLICA_URL: postgres.atReplica(url) }
  }
  const options = { step, interruption, proxied: false, environmentOf }
  const replicas = starting.use(await startReplicas({ wiring, paths, secrets }, options))
  const stack = starting.move()
  return { ...replicas, postgres, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
