import { join } from 'node:path'
import { findFreePort, startRedis } from '#local'
import { type ControlledServer, controlServer } from './controlled-server.ts'
import {
  askFirstServer,
  type ClusterAddress,
  createCluster,
  isRedundant,
  listOwnedRanges,
  moveSlot,
  openServer,
  readSlots,
  waitForCluster,
} from './redis-cluster-servers.ts'
import { askRedisServer } from './redis-set.ts'

export interface ClusterServer extends ControlledServer, ClusterAddress {}

/** A Redis Cluster, whose replicas become masters when theirs fail. */
export interface RedisCluster extends AsyncDisposable {
  /** With the addresses of all servers. */
  readonly url: string
  readonly servers: readonly ClusterServer[]
  /** The servers that own slots. */
  readonly listMasters: () => Promise<ClusterServer[]>
  readonly findSlot: (key: string) => Promise<number>
  readonly findMaster: (key: string) => Promise<ClusterServer>
  /** Resolves when another server owns the slots of this one. */
  readonly whenReplaced: (master: ClusterServer) => Promise<void>
  /** Makes a replica the master of a master's slots while both run. */
  readonly switchOver: (master: ClusterServer) => Promise<void>
  /**
   * Moves slots to another master, as `redis-cli --cluster reshard` does.
   *
   * @param between runs for each slot after its keys have moved and before its owner changes
   */
  readonly moveSlots: (slots: readonly number[], to: ClusterServer, between?: () => Promise<void>) => Promise<void>
  /** Resolves when all servers run and agree on the owners of all slots, and each replica follows its master. */
  readonly repair: () => Promise<void>
}

interface ClusterOptions {
  readonly masters?: number
  /** Masters without slots, to which slots can be moved. */
  readonly emptyMasters?: number
  /** Of each master. */
  readonly replicas?: number
  /** After how long a silent server counts as failed. */
  readonly nodeTimeoutMs?: number
}

export async function startRedisCluster(
  directory: string,
  { masters = 3, emptyMasters = 0, replicas = 0, nodeTimeoutMs = 1_000 }: ClusterOptions = {},
): Promise<RedisCluster> {
  await using starting = new AsyncDisposableStack()
  const run = async (title: string): Promise<ClusterServer> => {
    const own = join(directory, title)
    const busPort = await findFreePort()
    const cluster = { port: busPort, nodeTimeoutMs }
    const start = (port?: number) =>
      startRedis({ directory: own, durable: false, cluster, ...(port !== undefined && { port }) })
    const { url, stop } = await start()
    starting.defer(stop)
    const server = starting.use(controlServer({ url, pidFile: join(own, 'redis.pid'), start }))
    return Object.assign(server, { port: Number(new URL(url).port), busPort })
  }
  const count = masters + emptyMasters + masters * replicas
  const servers = await Promise.all(Array.from({ length: count }, (_, index) => run(`redis-${index + 1}`)))
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`)
  await createCluster(servers, { masters, emptyMasters })

  const listMasters = async (): Promise<ClusterServer[]> => {
    const owners = new Set((await readSlots(servers)).map(([, , [, port]]) => port))
    return servers.filter(({ port }) => owners.has(port))
  }
  const whenReplaced = (master: ClusterServer) =>
    waitForCluster(async () => {
      const others = servers.filter((server) => server !== master)
      return (await listOwnedRanges(others)).every(({ owner }) => owner !== master.port)
    })
  const whenRedundant = () => waitForCluster(() => isRedundant(servers, masters * replicas))
  const findSlot = (key: string) => askFirstServer(servers, (server) => server.cluster('KEYSLOT', key))
  await whenRedundant()
  const stack = starting.move()
  return {
    url: `redis+cluster://${addresses.join(',')}`,
    servers,
    listMasters,
    findSlot,
    async findMaster(key) {
      const slot = await findSlot(key)
      const range = (await listOwnedRanges(servers)).find(({ first, last }) => first <= slot && slot <= last)
      const master = servers.find(({ port }) => port === range?.owner)
      if (master === undefined) throw new Error(`No server has the slot of ${key}.`)
      return master
    },
    whenReplaced,
    async switchOver(master) {
      const [, , , replica] = (await readSlots(servers)).find(([, , [, port]]) => port === master.port) ?? []
      if (replica === undefined) throw new Error('The master has no replica.')
      await askRedisServer(replica[1], (server) => server.cluster('FAILOVER'))
      await whenReplaced(master)
    },
    async moveSlots(slots, to, between = async () => {}) {
      await using stack = new AsyncDisposableStack()
      const open = ({ port }: ClusterAddress) => stack.adopt(openServer(port), (client) => client.disconnect())
      const [ranges, masters] = await Promise.all([listOwnedRanges(servers), listMasters()])
      const clients = new Map([...masters, to].map((server) => [server.port, open(server)]))
      for (const slot of slots) {
        const { owner } = ranges.find(({ first, last }) => first <= slot && slot <= last) ?? {}
        if (owner !== undefined && owner !== to.port)
          await moveSlot(slot, { from: owner, to: to.port, clients, between })
      }
    },
    async repair() {
      for (const server of servers) await server.repair()
      await whenRedundant()
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
