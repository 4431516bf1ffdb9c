import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, inject, test } from 'vitest'
import { type RedisSet, startFaultProxy, startRedisSet, startTestRedis } from '#testing'
import { limit, startWith, useUpLimit } from './redis-stage.ts'
import { logInAs } from './stage.ts'

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

    const { 200: admitted } = await useUpLimit(callAll)
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
  ])('gateways count at the new master after %s', async (_, replaceMaster) => {
    await using stack = new AsyncDisposableStack()
    const set = stack.use(await startRedisSet(await createDirectory()))
    const { whenCountedInRedis } = await startWith(set.url, stack)
    await whenCountedInRedis()
    await replaceMaster(set)
    await whenCountedInRedis()
  })
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
    })
    .not.toEqual([])
})
