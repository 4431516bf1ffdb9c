import { Cluster, Redis } from 'ioredis'
import { parseRedisUrl, type RedisClient } from '#runtime'

/** A client that tests read and change Redis with, also if it is a cluster. */
export interface RedisInspector extends Disposable {
  readonly client: RedisClient
  /** Asks each master. */
  readonly onEach: <T>(question: (master: Redis) => Promise<T>) => Promise<T[]>
  /** The keys of all masters. */
  readonly listKeys: (pattern?: string) => Promise<string[]>
  /** How often all masters executed a command. */
  readonly countCalls: (command: string) => Promise<number>
}

/** @param url as that of a service */
export async function inspectRedis(url: string): Promise<RedisInspector> {
  const { servers, isCluster } = parseRedisUrl(url)
  const client = isCluster ? new Cluster([...servers], { lazyConnect: true }) : new Redis(url, { lazyConnect: true })
  await client.connect()
  const onEach = <T>(question: (master: Redis) => Promise<T>) =>
    Promise.all((client instanceof Cluster ? client.nodes('master') : [client]).map(question))
  return {
    client,
    onEach,
    listKeys: async (pattern = '*') => (await onEach((master) => master.keys(pattern))).flat(),
    async countCalls(command) {
      const calls = new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm')
      const counts = await onEach(async (master) => Number(calls.exec(await master.info('commandstats'))?.[1] ?? 0))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    [Symbol.dispose]: () => client.disconnect(),
  }
}
