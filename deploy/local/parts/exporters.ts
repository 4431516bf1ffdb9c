import { join } from 'node:path'
import { type Part, part } from './part.ts'
import type { ExporterName } from './program-list.ts'
import { requireProgram } from './programs.ts'
import { startServer } from './server.ts'

export interface ExporterOptions {
  readonly directory: string
  /** What it is told beside the address to listen at. */
  readonly args?: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
}

/** Starts an exporter; Prometheus finds its metrics at `/metrics`, or `/probe`, of its address. */
export async function startExporter(
  name: ExporterName,
  { directory, args = [], environment = {} }: ExporterOptions,
): Promise<Part> {
  const program = await requireProgram(name)
  const server = await startServer({
    title: name,
    command: program.path,
    args: (port) => [`--web.listen-address=127.0.0.1:${port}`, ...args],
    ready: /Listening on|Providing metrics at/,
    passing: /address already in use/,
    port: undefined,
    log: join(directory, `${name}.log`),
    pidFile: join(directory, `${name}.pid`),
    environment,
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 5_000,
    lifeLine: 'watcher',
  })
  return part(server, { url: `http://127.0.0.1:${server.port}`, version: program.version })
}
