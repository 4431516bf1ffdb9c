import { findPublicPorts } from '../../../deploy/local/find-public-ports.ts'
import { createPaths } from '../../../deploy/local/paths.ts'
import { readSettings } from '../../../deploy/local/settings.ts'
import { supervise } from '../../../deploy/local/supervise.ts'
import { type ControlledServer, controlServer } from '../../../testing/controlled-server.ts'
import { type StackPostgres, startInfrastructureOn, startStackPostgres } from '../../toolkit/stack/stack-postgres.ts'
import { type ReplicasOptions, type ServiceReplicas, startReplicas } from '../replicas/service-replicas.ts'

/** The product with several processes of each service, on databases that are distributed over two workers. */
export interface CitusStack extends ServiceReplicas {
  readonly postgres: StackPostgres
  readonly coordinator: ControlledServer
  /** In the order of `postgres.workers`. */
  readonly workers: readonly ControlledServer[]
}

export async function startCitusStack(
  directory: string,
  { step, interruption }: Pick<ReplicasOptions, 'step' | 'interruption'>,
): Promise<CitusStack> {
  await using starting = new AsyncDisposableStack()
  const postgres = starting.use(
    await step('Citus', () => startStackPostgres(directory, { citus: true, durable: true })),
  )
  const settings = readSettings({
    ...(await findPublicPorts()),
    LOCAL_DIRECTORY: directory,
    DATABASE_URL: postgres.url,
  })
  const paths = createPaths(directory)
  const options = { supervision: supervise(starting), step, interruption }
  const { wiring, secrets } = await startInfrastructureOn(postgres, [settings, paths, options])
  const [coordinator, ...workers] = [postgres.url, ...postgres.workers].map((url, place) => {
    const server = postgres.servers[place]
    if (server === undefined) throw new Error('A server has no process.')
    return starting.use(controlServer({ url, pidFile: server.pidFile, start: server.start }))
  })
  if (coordinator === undefined) throw new Error('No coordinator was started.')
  const replicas = starting.use(await startReplicas({ wiring, paths, secrets }, { step, interruption, proxied: false }))
  const stack = starting.move()
  return { ...replicas, postgres, coordinator, workers, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
