import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensurePrograms, startRedis } from '#local'
import { createLogger, parseRedisUrl } from '#runtime'
import { createRateLimitWindows } from '../../services/api-gateway/rate-limit/rate-limit-windows.ts'
import { createRedisCounter } from '../../services/api-gateway/rate-limit/redis-counter.ts'
import { connectRedis } from '../../services/api-gateway/redis.ts'
import { startRedisCluster } from '../../testing/redis-cluster.ts'
import { askRedisServer } from '../../testing/redis-set.ts'
import { processorSecondsOf } from '../toolkit/processor-time.ts'

/**
 * `npm run bench:redis-cluster`: CPU time of rate limit decisions, of a gateway's part and of
 * Redis, with one server and with one, three and six masters of a cluster, and how decisions spread over the masters.
 */
const decisions = 100_000
const warmUp = 20_000
const sites = 1_000
/** As many requests as a busy gateway has at the same time. */
const atOnce = 64
const windowMs = 600_000
const limit = 1_000_000_000
const rounds = 3

interface Servers extends AsyncDisposable {
  readonly url: string
  readonly ports: readonly number[]
}

interface Measurement {
  readonly gatewayUs: number
  readonly redisUs: number
  /** The part of decisions at the master that has most. */
  readonly largestShare: number
}

const kinds: Readonly<Record<string, (directory: string) => Promise<Servers>>> = {
  'one server': async (directory) => {
    const { url, stop } = await startRedis({ directory, durable: false })
    return { url, ports: [Number(new URL(url).port)], [Symbol.asyncDispose]: stop }
  },
  'cluster, 1 master': (directory) => startMasters(directory, 1),
  'cluster, 3 masters': (directory) => startMasters(directory, 3),
  'cluster, 6 masters': (directory) => startMasters(directory, 6),
}

async function startMasters(directory: string, masters: number): Promise<Servers> {
  const cluster = await startRedisCluster(directory, { masters })
  return {
    url: cluster.url,
    ports: cluster.servers.map(({ port }) => port),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  }
}

async function measure({ url, ports }: Servers): Promise<Measurement> {
  const logger = createLogger('benchmark', 'silent')
  await using redis = await connectRedis({ REDIS_URL: parseRedisUrl(url) }, { logger, timeoutMs: 5_000 })
  while (!redis.usable()) await sleep(10)
  const counter = createRedisCounter(redis.client, createRateLimitWindows(windowMs), windowMs)
  let next = 0
  const decide = async (count: number) => {
    const until = next + count
    const requester = async () => {
      while (next < until) await counter.admit(1 + (next++ % sites), limit)
    }
    await Promise.all(Array.from({ length: atOnce }, requester))
  }
  const servers = await Promise.all(ports.map(readServer))
  await decide(warmUp)
  const pids = servers.map(({ pid }) => pid)
  const countsBefore = (await Promise.all(ports.map(readServer))).map(({ scripts }) => scripts)
  const [redisBefore, gatewayBefore] = [processorSecondsOf(pids), process.cpuUsage()]
  await decide(decisions)
  const [redisAfter, gateway] = [processorSecondsOf(pids), process.cpuUsage(gatewayBefore)]
  const counts = (await Promise.all(ports.map(readServer))).map(
    ({ scripts }, index) => scripts - (countsBefore[index] ?? 0),
  )
  const redisSeconds = redisAfter.reduce((sum, seconds, index) => sum + seconds - (redisBefore[index] ?? 0), 0)
  return {
    gatewayUs: (gateway.user + gateway.system) / decisions,
    redisUs: (redisSeconds * 1e6) / decisions,
    largestShare: Math.max(...counts) / counts.reduce((sum, count) => sum + count, 0),
  }
}

function readServer(port: number): Promise<{ readonly pid: number; readonly scripts: number }> {
  return askRedisServer(port, async (server) => ({
    pid: Number(/^process_id:(\d+)/m.exec(await server.info('server'))?.[1]),
    scripts: Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(await server.info('commandstats'))?.[1] ?? 0),
  }))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The processes of servers do not keep this one running. */
const keepAlive = setInterval(() => {}, 1_000)
const directory = await mkdtemp(join(tmpdir(), 'redis-cluster-'))
try {
  await ensurePrograms(['redis'], { note: () => {}, log: join(directory, 'install.log') })
  console.log(`${cpus().length} × ${cpus()[0]?.model}, load average ${loadavg()[0]?.toFixed(1)}`)
  console.log(
    '| Redis | gateway, µs | Redis, µs | decisions per second of a master’s core | largest share of a master | all masters |',
  )
  console.log('| --- | --: | --: | --: | --: | --: |')
  for (const [name, start] of Object.entries(kinds)) {
    await using servers = await start(join(directory, name.replaceAll(/\W+/g, '-')))
    const results: Measurement[] = []
    for (let round = 0; round < rounds; round++) results.push(await measure(servers))
    const [gatewayUs, redisUs] = [
      median(results.map((one) => one.gatewayUs)),
      median(results.map((one) => one.redisUs)),
    ]
    const largestShare = Math.max(...results.map((one) => one.largestShare))
    const ofMaster = 1e6 / redisUs
    const columns = [
      name,
      gatewayUs.toFixed(1),
      redisUs.toFixed(1),
      Math.round(ofMaster),
      `${(largestShare * 100).toFixed(1)} %`,
      Math.round(ofMaster / largestShare),
    ]
    console.log(`| ${columns.join(' | ')} |`)
  }
} finally {
  clearInterval(keepAlive)
  await rm(directory, { recursive: true, force: true })
}
process.exit()
