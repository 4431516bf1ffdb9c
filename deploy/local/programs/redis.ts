import { mkdir, writeFile } from 'node:fs/promises'
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
  /** The port of the master whose replica it is. */
  readonly replicaOf?: number
  /** How it is part of a Redis Cluster: its port for other servers, and after how long a silent server counts as failed. */
  readonly cluster?: { readonly port: number; readonly nodeTimeoutMs: number }
}

/**
 * Starts Redis (or Valkey) with its files in `directory`. With `durable`, data survives a restart; otherwise it is in memory
 * only. Pass `port` to restart it on the same port.
 */
export async function startRedis(options: RedisOptions): Promise<RunningServer> {
  const { directory, durable, port, log = join(directory, 'redis.log'), replicaOf, cluster } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const program = await requireProgram('redis')
  const server = await startServer({
    title: 'Redis',
    command: program.path,
    port,
    log,
    ...commonOptions(directory),
    args: (port) => [
      '--bind',
      '127.0.0.1',
      '--port',
      String(port),
      '--dir',
      directory,
      '--save',
      '',
      ...(durable ? durableSettings : volatileSettings),
      ...(replicaOf === undefined ? [] : ['--replicaof', `127.0.0.1 ${replicaOf}`]),
      ...(cluster === undefined ? [] : clusterSettings(cluster)),
    ],
    ready: /Ready to accept connections/,
  })
  return toRunningServer(server, { url: `redis://127.0.0.1:${server.port}`, version: program.version })
}

function clusterSettings({ port, nodeTimeoutMs }: NonNullable<RedisOptions['cluster']>): string[] {
  return [
    '--cluster-enabled',
    'yes',
    '--cluster-port',
    String(port),
    '--cluster-node-timeout',
    String(nodeTimeoutMs),
    '--repl-diskless-sync-delay',
    '0',
    // A server alone would not know its address.
    '--cluster-announce-ip',
    '127.0.0.1',
  ]
}

export interface SentinelOptions {
  readonly directory: string
  readonly port?: number
  /** By which name, and at which port, it monitors the first master. */
  readonly master: { readonly name: string; readonly host?: string; readonly port: number }
  /** How many sentinels must agree that the master has failed. */
  readonly quorum: number
  /** After how long a silent master counts as failed. */
  readonly downAfterMs: number
  /** Further lines of its configuration, before those about the master. */
  readonly settings?: readonly string[]
}

/** Starts a Redis (or Valkey) Sentinel, which keeps what it learns in its configuration in `directory`. */
export async function startSentinel(options: SentinelOptions): Promise<RunningServer> {
  const { directory, port, master, quorum, downAfterMs, settings = [] } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const program = await requireProgram('redis')
  const file = join(directory, 'sentinel.conf')
  const configuration = [
    ...settings,
    `sentinel monitor ${master.name} ${master.host ?? '127.0.0.1'} ${master.port} ${quorum}`,
    `sentinel down-after-milliseconds ${master.name} ${downAfterMs}`,
    `sentinel failover-timeout ${master.name} 3000`,
  ]
  // It adds to the file, and must find it again after a restart.
  await writeFile(file, `${configuration.join('\n')}\n`, { flag: 'wx' }).catch(ignoreExisting)
  const server = await startServer({
    title: 'Redis Sentinel',
    command: program.path,
    port,
    log: join(directory, 'redis.log'),
    ...commonOptions(directory),
    args: (port) => [file, '--sentinel', '--bind', '127.0.0.1', '--port', String(port), '--dir', directory],
    ready: /\+monitor master/,
  })
  return toRunningServer(server, { url: `redis://127.0.0.1:${server.port}`, version: program.version })
}

function commonOptions(directory: string) {
  return {
    transientError: /Address already in use/,
    pidFile: join(directory, 'redis.pid'),
    environment: {},
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 10_000,
    stopsWithParentBy: 'watcher',
  } as const
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}
