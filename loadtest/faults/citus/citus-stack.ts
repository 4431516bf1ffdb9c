import { findPublicPorts } from '../../../deploy/local/find-public-ports.ts'
import { createPaths } from '../../../deploy/local/paths.ts'
import { readSettings } from '../../../deploy/local/settings.ts'
import { supervise } from '../../../deploy/local/supervise.ts'
import { type StackPostgres, startInfrastructureOn, startStackPostgres } from '../../toolkit/stack/stack-postgres.ts'
import { type ReplicasOptions, type ServiceReplicas, startReplicas } from '../replicas/service-replicas.ts'

/** The product with several processes of each service, on databases that are distributed over two workers. */
export interface CitusStack extends ServiceReplicas {
  readonly postgres: StackPostgres
}

export async function startCitusStack(
  directory: string,
  { step, interruption }: Pick<ReplicasOptions, 'step' | 'interruption'>,
): Promise<CitusStack> {
  await using starting = new AsyncDisposableStack()
  const postgres = starting.use(await step('Citus', () => startStackPostgres(directory, { citus: true })))
  const settings = readSettings({
    ...(await findPublicPorts()),
    LOCAL_DIRECTORY: directory,
    DATABASE_URL: postgres.url,
  })
  const paths = createPaths(directory)
  const options = { supervision: supervise(starting), step, interruption }
  const { wiring, secrets } = await startInfrastructureOn(postgres, [settings, paths, options])
  const replicas = starting.use(await startReplicas({ wiring, paths, secrets }, { step, interruption, proxied: false }))
  const stack = starting.move()
  return { ...replicas, postgres, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
