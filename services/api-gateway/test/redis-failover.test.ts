import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, inject, test } from 'vitest'
import {
  type RedisSet,
  type SeededSite,
  type ServiceStack,
  seedSite,
  startFaultProxy,
  startRedisSet,
  startStack,
  startTestRedis,
} from '#testing'
import { createCaller } from './caller.ts'
import { logInAs } from './stage.ts'

const patience = { timeout: 120_000, interval: 100 }
const limit = 2_000
const requestersAtOnce = 20

/** A stack whose services use Redis at a URL, and a site with a limit. */
async function startWith(redisUrl: string, stack: AsyncDisposableStack) {
  const environment = { REDIS_URL: redisUrl }
  const serviceStack: ServiceStack = stack.use(
    await startStack({ gateways: 2, gatewayEnvironment: environment, providerAuthEnvironment: environment }),
  )
  const site: SeededSite = await seedSite(serviceStack)
  const { identity, call, gateways } = serviceStack
  await identity.changeSite({ site: site.site, requests_per_window: limit }, call())
  const callers = gateways.map((address) => createCaller(address, site.api_key))
  /** A request at each gateway: which were admitted, and by a gateway alone. */
  const callAll = async () => {
    const responses = await Promise.all(callers.map((caller) => caller.get('appinfo')))
    return responses.map(({ status, headers }) => ({
      status,
      limit: headers.get('x-ratelimit-limit'),
      mode: headers.get('x-ratelimit-mode'),
    }))
  }
  const counted = callers.map(() => ({ status: 200, limit: String(limit), mode: null }))
  const whenCountedInRedis = () => expect.poll(callAll, patience).toEqual(counted)
  return { serviceStack, site, callAll, whenCountedInRedis }
}

const createDirectory = () => mkdtemp(join(inject('directory'), 'redis-failover-'))

describe('Redis by Sentinel', () => {
  test('gateways and logins work while the master fails, count at the new master, and admit at most the limit', async () => {
    await using stack = new AsyncDisposableStack()
    const set = stack.use(await startRedisSet(await createDirectory()))
    const { serviceStack, site, callAll, whenCountedInRedis } = await startWith(set.url, stack)
    await whenCountedInRedis()
    await logInAs({ serviceStack, site }, 'before')

    const master = await set.findMaster()
    await master.kill()
    const during = await callAll()
    expect(during.map(({ status }) => status)).toEqual([200, 200])
    expect(during.map(({ mode }) => mode)).toEqual(['degraded', 'degraded'])
    await logInAs({ serviceStack, site }, 'during')
    await set.whenReplaced(master)
    await whenCountedInRedis()
    await logInAs({ serviceStack, site }, 'after')

    let admitted = 0
    const press = async () => {
      for (let count = 0; count < limit / requestersAtOnce; count++)
        admitted += (await callAll()).filter(({ status }) => status === 200).length
    }
    await Promise.all(Array.from({ length: requestersAtOnce }, press))
    expect(admitted).toBeLessThanOrEqual(limit)
  })

  test.each<[string, (set: RedisSet) => Promise<void>]>([
    ['a switchover', (set) => set.switchOver()],
    [
      'the master became silent',
      async (set) => {
        const master = await set.findMaster()
        master.freeze()
        await set.whenReplaced(master)
      },
    ],
  ])(
    'gateways count at the new master after %s',
    async (_, replaceMaster) => {
      await using stack = new AsyncDisposableStack()
      const set = stack.use(await startRedisSet(await createDirectory()))
      const { whenCountedInRedis } = await startWith(set.url, stack)
      await whenCountedInRedis()
      await replaceMaster(set)
      await whenCountedInRedis()
    },
    120_000,
  )
})

test('services connect again to the address of a Redis that became a replica and kept its connections', async () => {
  await using stack = new AsyncDisposableStack()
  const directory = await createDirectory()
  const first = stack.use(await startTestRedis(join(directory, 'first')))
  const second = stack.use(await startTestRedis(join(directory, 'second')))
  const proxy = stack.use(await startFaultProxy(first.url))
  const { serviceStack, site, whenCountedInRedis } = await startWith(proxy.url, stack)
  await whenCountedInRedis()

  const demoted = stack.adopt(new Redis(first.url), (client) => client.disconnect())
  const promoted = stack.adopt(new Redis(second.url), (client) => client.disconnect())
  proxy.setTarget(second.url)
  await demoted.replicaof('127.0.0.1', new URL(second.url).port)
  await whenCountedInRedis()
  await expect
    .poll(async () => {
      await logInAs({ serviceStack, site }, 'anyone')
      return await promoted.keys('provider-auth:session:*')
    }, patience)
    .not.toEqual([])
})
