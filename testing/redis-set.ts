import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { type RedisOptions, type RunningServer, startRedis, startSentinel } from '#local'
import { type ControlledServer, controlServer } from './controlled-server.ts'

/** A Redis master, its replica, and three sentinels, which make the replica the master when the master fails. */
export interface RedisSet extends AsyncDisposable {
  /** With the addresses of the sentinels. */
  readonly url: string
  /** The server that is the master for the sentinels. */
  readonly findMaster: () => Promise<ControlledServer>
  /** Makes the replica the master while both run. */
  readonly switchOver: () => Promise<void>
  /** Resolves when the sentinels name another master than this one. */
  readonly whenReplaced: (master: ControlledServer) => Promise<void>
  /** Resolves when all servers run again, and there is a replica that could become the master. */
  readonly repair: () => Promise<void>
  readonly sentinels: readonly ControlledServer[]
}

/** Host and port. */
const MasterAddress = z.tuple([z.string(), z.string()])
const Replicas = z.array(z.array(z.string()))

const name = 'social-login'
const sentinelCount = 3
const quorum = 2
const pollMs = 50
const discoveredWithinMs = 60_000

/** @param downAfterMs after how long a silent master counts as failed */
export async function startRedisSet(directory: string, { downAfterMs = 1_000 } = {}): Promise<RedisSet> {
  await using starting = new AsyncDisposableStack()
  const run = async (title: string, start: (directory: string, port?: number) => Promise<RunningServer>) => {
    const own = join(directory, title)
    const { url, stop } = await start(own)
    starting.defer(stop)
    const control = { url, pidFile: join(own, 'redis.pid'), start: (port: number) => start(own, port) }
    return { port: Number(new URL(url).port), server: starting.use(controlServer(control)) }
  }
  /** Starts again as a master, which the sentinels make a replica. */
  const startMember = (first: Pick<RedisOptions, 'replicaOf'>) => (own: string, port?: number) =>
    startRedis({ directory: own, durable: false, ...(port === undefined ? first : { port }) })
  const master = await run('redis-1', startMember({}))
  const members = [master, await run('redis-2', startMember({ replicaOf: master.port }))]
  const sentinels = await Promise.all(
    Array.from({ length: sentinelCount }, (_, index) =>
      run(`sentinel-${index + 1}`, async (own, port) => {
        const options = { directory: own, ...at(port), master: { name, port: master.port }, quorum, downAfterMs }
        const sentinel = await startSentinel(options)
        // After the machine stood still for two seconds, Sentinel does nothing for 30 more.
        const shorten = (client: Redis) => client.call('SENTINEL', 'DEBUG', 'tilt-period', '1000')
        await waitFor(() => askRedisServer(Number(new URL(sentinel.url).port), shorten).catch(() => undefined))
        return sentinel
      }),
    ),
  )

  /** Asks the sentinels that answer. */
  const ask = async <T>(question: (sentinel: Redis) => Promise<T>): Promise<T[]> => {
    const answers = await Promise.allSettled(sentinels.map(({ port }) => askRedisServer(port, question)))
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  }
  /** The port of the master, if most sentinels agree. */
  const findMasterPort = async (): Promise<number | undefined> => {
    const answers = await ask((sentinel) => sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name))
    const ports = answers.map((answer) => Number(MasterAddress.parse(answer)[1]))
    return ports.find((port) => ports.filter((other) => other === port).length >= quorum)
  }
  const findMaster = () =>
    waitFor(async () => {
      const port = await findMasterPort()
      return members.find((member) => member.port === port)?.server
    })
  const whenRedundant = async () => {
    const countReplicas = async (sentinel: Redis) => {
      await sentinel.call('SENTINEL', 'CKQUORUM', name)
      return Replicas.parse(await sentinel.call('SENTINEL', 'REPLICAS', name)).filter(isUsable).length
    }
    await waitFor(async () => {
      const counts = await ask(countReplicas)
      return counts.filter((count) => count > 0).length === sentinels.length || undefined
    })
  }
  const whenReplaced = async (before: ControlledServer) => {
    const { port } = members.find(({ server }) => server === before) ?? {}
    await waitFor(async () => {
      const now = await findMasterPort()
      return now === port ? undefined : now
    })
  }
  await whenRedundant()
  const stack = starting.move()
  const servers = sentinels.map(({ port }) => `127.0.0.1:${port}`)
  return {
    url: `redis+sentinel://${servers.join(',')}/${name}`,
    findMaster,
    whenReplaced,
    async repair() {
      for (const { server } of [...members, ...sentinels]) await server.repair()
      await whenRedundant()
    },
    async switchOver() {
      const before = await findMaster()
      const [first] = sentinels
      if (first !== undefined)
        await askRedisServer(first.port, (sentinel) => sentinel.call('SENTINEL', 'FAILOVER', name))
      await whenReplaced(before)
    },
    sentinels: sentinels.map(({ server }) => server),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const at = (port: number | undefined) => (port === undefined ? {} : { port })

/** Connects to a server for one question. */
export async function askRedisServer<T>(port: number, question: (sentinel: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(port, '127.0.0.1', {
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: null,
    connectTimeout: 1_000,
    commandTimeout: 1_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await question(client)
  } finally {
    client.disconnect()
  }
}

/** Whether a replica, described by names and values in turn, is connected to its master. */
function isUsable(description: readonly string[]): boolean {
  const find = (field: string) => description[description.indexOf(field) + 1] ?? ''
  return find('master-link-status') === 'ok' && !/_down|disconnected/.test(find('flags'))
}

/** Asks again and again until there is an answer. */
async function waitFor<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (const until = performance.now() + discoveredWithinMs; performance.now() < until; await delay(pollMs)) {
    const found = await find()
    if (found !== undefined) return found
  }
  throw new Error('The sentinels did not agree in time.')
}
