import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '#runtime'
import { requireProgram } from './programs.ts'
import { type RunningServer, toRunningServer } from './running-server.ts'
import { startServer } from './server.ts'

export interface NatsOptions {
  readonly directory: string
  readonly port?: number
  readonly log?: string
  /** The text of its configuration, and the variables it names. */
  readonly configuration?: { readonly text: string; readonly environment: Environment } | undefined
  /** The ports at which the servers of a cluster connect to each other, its own first. */
  readonly clusterPorts?: readonly number[]
}

/** Starts nats-server with its files in `directory`. Pass `port` to restart it on the same port. */
export async function startNats(options: NatsOptions): Promise<RunningServer> {
  const { directory, port, log = join(directory, 'nats.log'), configuration, clusterPorts = [] } = options
  const program = await requireProgram('nats')
  const file = join(directory, 'nats.conf')
  if (configuration) {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(file, configuration.text)
  }
  const server = await startServer({
    title: 'NATS',
    command: program.path,
    args: (port) => [
      ...(configuration ? ['--config', file] : []),
      '--addr',
      '127.0.0.1',
      '--port',
      String(port),
      ...clusterArguments(clusterPorts),
    ],
    ready: /Server is ready/,
    transientError: /address already in use/,
    port,
    log,
    pidFile: join(directory, 'nats.pid'),
    environment: { ...configuration?.environment },
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 5_000,
    stopsWithParentBy: 'watcher',
  })
  return toRunningServer(server, { url: `nats://127.0.0.1:${server.port}`, version: program.version })
}

function clusterArguments([own, ...others]: readonly number[]): string[] {
  if (own === undefined) return []
  const routes = others.map((port) => `nats://127.0.0.1:${port}`)
  return ['--cluster_name', 'social-login', '--cluster', `nats://127.0.0.1:${own}`, '--routes', routes.join(',')]
}
