import { join } from 'node:path'
import { type Part, part } from './part.ts'
import { requireProgram } from './programs.ts'
import { startServer } from './server.ts'

/** Starts a nats-server whose files are kept in `directory`. `port` makes it come back where an earlier one was. */
export async function startNats(options: { directory: string; port?: number; log?: string }): Promise<Part> {
  const { directory, port, log = join(directory, 'nats.log') } = options
  const program = await requireProgram('nats')
  const server = await startServer({
    title: 'NATS',
    command: program.path,
    args: (port) => ['--addr', '127.0.0.1', '--port', String(port)],
    ready: /Server is ready/,
    passing: /address already in use/,
    port,
    log,
    pid_file: join(directory, 'nats.pid'),
    environment: {},
    stop_signal: 'SIGTERM',
    stop_deadline_ms: 5_000,
    life_line: 'watcher',
  })
  return part(server, { url: `nats://127.0.0.1:${server.port}`, version: program.version })
}
