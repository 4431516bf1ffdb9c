import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type NatsOptions, type RunningServer, startNats, startRedis } from '#local'
import { startRedisCluster } from './redis-cluster.ts'

/** A server that a test can stop and start again at the same address. */
export interface Outage extends AsyncDisposable {
  readonly url: string
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

/** @param configuration of the server; without it every client may connect and do everything */
export async function startTestNats(directory: string, configuration?: NatsOptions['configuration']): Promise<Outage> {
  return outage(join(directory, 'nats'), (options) => startNats({ ...options, configuration }))
}

const isCluster = process.env.TEST_REDIS === 'cluster'

export async function startTestRedis(directory: string): Promise<Outage> {
  return outage(join(directory, 'redis'), (options) => startRedis({ ...options, durable: false }))
}

/** The Redis of a stack: one server, or with `TEST_REDIS=cluster` three masters of a cluster. */
export function startStackRedis(directory: string): Promise<Outage> {
  return isCluster ? startClusterOutage(join(directory, 'redis')) : startTestRedis(directory)
}

async function startClusterOutage(directory: string): Promise<Outage> {
  const { url, servers, repair, [Symbol.asyncDispose]: dispose } = await startRedisCluster(directory)
  return {
    url,
    async stop() {
      await Promise.all(servers.map((server) => server.kill()))
    },
    start: repair,
    [Symbol.asyncDispose]: dispose,
  }
}

async function outage(
  directory: string,
  begin: (options: { directory: string; port?: number }) => Promise<RunningServer>,
): Promise<Outage> {
  await mkdir(directory, { recursive: true })
  let part: RunningServer | undefined = await begin({ directory })
  const { url } = part
  const port = Number(new URL(url).port)
  const stop = async () => {
    await part?.stop()
    part = undefined
  }
  return {
    url,
    stop,
    async start() {
      part ??= await begin({ directory, port })
    },
    [Symbol.asyncDispose]: stop,
  }
}
