import { dirname, join } from 'node:path'
import { requireProgram } from './programs.ts'
import { type RunningServer, toRunningServer } from './running-server.ts'
import { startServer } from './server.ts'

/** Starts Prometheus with a configuration file. Its data is in `directory`. */
export async function startPrometheus(options: { directory: string; config_file: string }): Promise<RunningServer> {
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
    transientError: /address already in use/,
    port: undefined,
    log: join(directory, 'prometheus.log'),
    pidFile: join(directory, 'prometheus.pid'),
    environment: {},
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 10_000,
    stopsWithParentBy: 'watcher',
  })
  return toRunningServer(server, { url: `http://127.0.0.1:${server.port}`, version: program.version })
}

/** promtool, which is in the same directory as Prometheus. */
export async function requirePromtool(): Promise<string> {
  return join(dirname((await requireProgram('prometheus')).path), 'promtool')
}
