import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { askRedisServer } from './redis-set.ts'

/** The ports of a server of a Redis Cluster: for clients, and for other servers. */
export interface ClusterAddress {
  readonly port: number
  readonly busPort: number
}

const slotCount = 16_384
const pollMs = 50
const migrateTimeoutMs = 5_000
const agreedWithinMs = 60_000

/** `CLUSTER SLOTS`: first slot, last slot, then host, port and ID of the master and its replicas. */
const Server = z.tuple([z.string(), z.int(), z.string()]).rest(z.unknown())
const Slots = z.array(z.tuple([z.int(), z.int(), Server]).rest(Server))

/** Gives slots to the first servers; those after them follow them as replicas. */
export async function createCluster(
  servers: readonly ClusterAddress[],
  { masters, emptyMasters }: { readonly masters: number; readonly emptyMasters: number },
): Promise<void> {
  const ids = await Promise.all(servers.map(({ port }) => readClusterId(port)))
  const startOf = (index: number) => Math.floor((index * slotCount) / masters)
  await Promise.all(
    servers.map(({ port }, index) =>
      askRedisServer(port, async (server) => {
        await server.cluster('SET-CONFIG-EPOCH', index + 1)
        const first = startOf(index)
        if (index < masters)
          await server.cluster(
            'ADDSLOTS',
            ...Array.from({ length: startOf(index + 1) - first }, (_, slot) => first + slot),
          )
      }),
    ),
  )
  const [first, ...others] = servers
  if (first === undefined) return
  await askRedisServer(first.port, async (server) => {
    for (const { port, busPort } of others) await server.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort)
  })
  await waitForCluster(async () => (await countKnown(servers)).every((known) => known === servers.length))
  await Promise.all(
    servers.slice(masters + emptyMasters).map(({ port }, index) => {
      const master = ids[index % masters]
      return master && askRedisServer(port, (server) => server.cluster('REPLICATE', master))
    }),
  )
}

function readClusterId(port: number): Promise<string> {
  return askRedisServer(port, async (server) => String(await server.cluster('MYID')))
}

/** How many servers each server knows. */
function countKnown(servers: readonly ClusterAddress[]): Promise<number[]> {
  return Promise.all(
    servers.map(({ port }) =>
      askRedisServer(port, async (server) =>
        Number(/cluster_known_nodes:(\d+)/.exec(await server.cluster('INFO'))?.[1]),
      ),
    ),
  )
}

/** The answer of the first server that works. */
export async function askFirstServer<T>(
  servers: readonly ClusterAddress[],
  question: (server: Redis) => Promise<T>,
): Promise<T> {
  let failure: unknown
  for (const { port } of servers)
    try {
      return await askRedisServer(port, question)
    } catch (error) {
      failure = error
    }
  throw failure
}

export async function readSlots(servers: readonly ClusterAddress[]) {
  return Slots.parse(await askFirstServer(servers, (server) => server.cluster('SLOTS')))
}

export async function listOwnedRanges(servers: readonly ClusterAddress[]) {
  return (await readSlots(servers)).map(([first, last, [, owner]]) => ({ first, last, owner }))
}

/** Whether all servers serve all slots with the same owners, and there are so many replicas. */
export async function isRedundant(servers: readonly ClusterAddress[], replicas: number): Promise<boolean> {
  const views = await Promise.all(
    servers.map(({ port }) =>
      askRedisServer(port, async (server) => ({
        info: await server.cluster('INFO'),
        slots: Slots.parse(await server.cluster('SLOTS')),
        replication: await server.info('replication'),
      })).catch(() => undefined),
    ),
  )
  const owners = new Set(
    views.map((view) => JSON.stringify(view?.slots.map(([first, last, [, port]]) => [first, last, port]).sort())),
  )
  return (
    owners.size === 1 &&
    views.every(
      (view) =>
        view?.info.includes('cluster_state:ok') &&
        !view.replication.includes('master_link_status:down') &&
        new Set(view.slots.flatMap(([, , , ...others]) => others.map(([, port]) => port))).size >= replicas,
    )
  )
}

/** Connects to a server of a cluster, and waits for it as long as it takes on a busy machine. */
export function openServer(port: number): Redis {
  const client = new Redis(port, '127.0.0.1')
  client.on('error', () => {})
  return client
}

interface SlotMove {
  /** Ports of the masters. */
  readonly from: number
  readonly to: number
  /** Of all masters, by port. */
  readonly clients: ReadonlyMap<number, Redis>
  readonly between: () => Promise<void>
}

/** Moves a slot, as `redis-cli --cluster reshard` does. `between` runs after its keys have moved and before its owner changes. */
export async function moveSlot(slot: number, { from, to, clients, between }: SlotMove): Promise<void> {
  const [source, target] = [clients.get(from), clients.get(to)]
  if (source === undefined || target === undefined) throw new Error('A master of the move is not connected.')
  const [sourceId, targetId] = [String(await source.cluster('MYID')), String(await target.cluster('MYID'))]
  await target.cluster('SETSLOT', slot, 'IMPORTING', sourceId)
  await source.cluster('SETSLOT', slot, 'MIGRATING', targetId)
  for (;;) {
    const keys = await source.cluster('GETKEYSINSLOT', slot, 100)
    if (keys.length === 0) break
    await source.migrate('127.0.0.1', to, '', 0, migrateTimeoutMs, 'KEYS', ...keys.map(String))
  }
  await between()
  // First the new owner, so that the slot always has one.
  for (const client of [target, source, ...clients.values()]) await client.cluster('SETSLOT', slot, 'NODE', targetId)
}

export async function waitForCluster(condition: () => Promise<boolean>): Promise<void> {
  for (const until = performance.now() + agreedWithinMs; performance.now() < until; await delay(pollMs))
    if (await condition().catch(() => false)) return
  throw new Error('The servers of the Redis Cluster did not agree in time.')
}
