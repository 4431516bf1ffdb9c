import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { requireProgram } from './programs.ts'
import { type RunningServer, toRunningServer } from './running-server.ts'
import { startServer } from './server.ts'

const durableSettings = ['--appendonly', 'yes', '--appendfsync', 'everysec']
// A timer frequency of 100 instead of 10 per second, so that it stops at once.
const volatileSettings = ['--appendonly', 'no', '--hz', '100']

export interface RedisOptions {
  readonly directory: string
  readonly durable: boolean
  readonly port?: number
  readonly log?: string
}

/**
 * Starts Redis (or Valkey) with its files in `directory`. With `durable`, data survives a restart; otherwise it is in memory
 * only. Pass `port` to restart it on the same port.
 */
export async function startRedis(options: RedisOptions): Promise<RunningServer> {
  const { directory, durable, port, log = join(directory, 'redis.log') } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const program = await requireProgram('redis')
  const server = await startServer({
    title: 'Redis',
    command: program.path,
    args: (port) => [
      ...['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--save', ''],
      ...(durable ? durableSettings : volatileSettings),
    ],
    ready: /Ready to accept connections/,
    transientError: /Address already in use/,
    port,
    log,
    pidFile: join(directory, 'redis.pid'),
    environment: {},
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 10_000,
    stopsWithParentBy: 'watcher',
  })
  return toRunningServer(server, { url: `redis://127.0.0.1:${server.port}`, version: program.version })
}
