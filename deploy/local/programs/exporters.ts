import { join } from 'node:path'
import type { ExporterName } from './program-list.ts'
import { requireProgram } from './programs.ts'
import { type RunningServer, toRunningServer } from './running-server.ts'
import { startServer } from './server.ts'

export interface ExporterOptions {
  readonly directory: string
  /** Arguments in addition to the listen address. */
  readonly args?: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
}

/** Starts an exporter. Prometheus scrapes `/metrics` or `/probe` of its address. */
export async function startExporter(
  name: ExporterName,
  { directory, args = [], environment = {} }: ExporterOptions,
): Promise<RunningServer> {
  const program = await requireProgram(name)
  const server = await startServer({
    title: name,
    command: program.path,
    args: (port) => [`--web.listen-address=127.0.0.1:${port}`, ...args],
    ready: /Listening on|Providing metrics at/,
    transientError: /address already in use/,
    port: undefined,
    log: join(directory, `${name}.log`),
    pidFile: join(directory, `${name}.pid`),
    environment,
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 5_000,
    stopsWithParentBy: 'watcher',
  })
  return toRunningServer(server, { url: `http://127.0.0.1:${server.port}`, version: program.version })
}
