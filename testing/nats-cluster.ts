import { join } from 'node:path'
import { findFreePort, type NatsOptions, startNats } from '#local'
import { type ControlledServer, controlServer } from './controlled-server.ts'

/** NATS servers of one cluster. */
export interface NatsCluster extends AsyncDisposable {
  /** Of each server, without a user. */
  readonly urls: readonly string[]
  readonly servers: readonly ControlledServer[]
}

const size = 3

export async function startNatsCluster(
  directory: string,
  configuration?: NatsOptions['configuration'],
): Promise<NatsCluster> {
  await using starting = new AsyncDisposableStack()
  const ports: number[] = []
  while (ports.length < size) ports.push(await findFreePort())
  const started = await Promise.all(
    ports.map(async (own, index) => {
      const home = join(directory, `nats-${index + 1}`)
      const clusterPorts = [own, ...ports.filter((port) => port !== own)]
      const start = (port?: number) =>
        startNats({ directory: home, configuration, clusterPorts, ...(port !== undefined && { port }) })
      const { url, stop } = await start()
      starting.defer(stop)
      return { url, server: starting.use(controlServer({ url, pidFile: join(home, 'nats.pid'), start })) }
    }),
  )
  const stack = starting.move()
  return {
    urls: started.map(({ url }) => url),
    servers: started.map(({ server }) => server),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
