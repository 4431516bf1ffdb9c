import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Part, part } from './part.ts'
import { requireProgram } from './programs.ts'
import { startServer } from './server.ts'

const durableSettings = ['--appendonly', 'yes', '--appendfsync', 'everysec']
// A hundred looks a second at the clock instead of ten, so that it stops at once.
const forgetfulSettings = ['--appendonly', 'no', '--hz', '100']

export interface RedisOptions {
  readonly directory: string
  readonly durable: boolean
  readonly port?: number
  readonly log?: string
}

/**
 * Starts Redis (or Valkey) with its files in `directory`: `durable` keeps the data there for the next start, otherwise
 * they live in memory only. `port` makes it come back where an earlier one was.
 */
export async function startRedis(options: RedisOptions): Promise<Part> {
  const { directory, durable, port, log = join(directory, 'redis.log') } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const program = await requireProgram('redis')
  const server = await startServer({
    title: 'Redis',
    command: program.path,
    args: (port) => [
      ...['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--save', ''],
      ...(durable ? durableSettings : forgetfulSettings),
    ],
    ready: /Ready to accept connections/,
    passing: /Address already in use/,
    port,
    log,
    pidFile: join(directory, 'redis.pid'),
    environment: {},
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 10_000,
    lifeLine: 'watcher',
  })
  return part(server, { url: `redis://127.0.0.1:${server.port}`, version: program.version })
}
