import { dirname, join } from 'node:path'
import { type Part, part } from './part.ts'
import { requireProgram } from './programs.ts'
import { startServer } from './server.ts'

/** Starts a Prometheus that follows a configuration file and keeps what it measures in `directory`. */
export async function startPrometheus(options: { directory: string; config_file: string }): Promise<Part> {
  const { directory, config_file } = options
  const program = await requireProgram('prometheus')
  const server = await startServer({
    title: 'Prometheus',
    command: program.path,
    args: (port) => [
      `--config.file=${config_file}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    ready: /Server is ready to receive web requests/,
    passing: /address already in use/,
    port: undefined,
    log: join(directory, 'prometheus.log'),
    pidFile: join(directory, 'prometheus.pid'),
    environment: {},
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 10_000,
    lifeLine: 'watcher',
  })
  return part(server, { url: `http://127.0.0.1:${server.port}`, version: program.version })
}

/** Prometheus' checker of rules, which stands beside it. */
export async function requirePromtool(): Promise<string> {
  return join(dirname((await requireProgram('prometheus')).path), 'promtool')
}
