import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createLogger, parseRedisUrl } from '#runtime'
import { inspectRedis, type SeededSite, type ServiceStack, startRedisCluster, startTestRedis } from '#testing'
import { openRedis } from '../../provider-auth/redis.ts'
import { buildAuthorizeUrl, logInWith, openTestBrowser } from '../../provider-auth/test/browser.ts'
import { limit, startWith, useUpLimit } from './redis-stage.ts'
import { logInAs } from './stage.ts'

const createDirectory = () => mkdtemp(join(inject('directory'), 'redis-cluster-'))

/** Logs in, uses the session for a silent login, ends it at the logout, and returns whether each step did so. */
async function useSession(auth: string, site: SeededSite) {
  const browser = openTestBrowser()
  const silent = async () => {
    const response = await browser.open(buildAuthorizeUrl(site, 'search', { prompt: 'none', scope: 'openid' }))
    return new URL(response.headers.get('location') ?? '').searchParams
  }
  await logInWith(site, 'search', { browser })
  // Again in the same browser: the session continues with another token.
  await logInWith(site, 'search', { browser })
  const active = (await silent()).has('code')
  const page = await (await browser.open(`${auth}/oauth2/logout`)).text()
  const fields = [...page.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
  await browser.open(`${auth}/oauth2/logout`, Object.fromEntries(fields))
  return { active, afterLogout: (await silent()).get('error') }
}

test('limits are exact and sessions last while slots move to another master, and spread over all masters', async () => {
  await using stack = new AsyncDisposableStack()
  const cluster = stack.use(await startRedisCluster(await createDirectory()))
  // A gateway that waits for Redis no longer than usual counts alone on a busy machine, and the limit is not exact.
  const patient = { RATE_TIMEOUT_MS: '30000' }
  const { serviceStack, site, callAll, whenCountedInRedis } = await startWith(cluster.url, stack, patient)
  await whenCountedInRedis()
  using redis = await inspectRedis(cluster.url)

  const window = `rate:${site.site}`
  const owner = await cluster.findMaster(window)
  const target = cluster.servers.find((server) => server !== owner)
  if (target === undefined) throw new Error('There is one master.')
  // At first, the key is at the old master, then it is not (ASK), and then the slot has another owner (MOVED).
  const modes = new Set<string | null>()
  const whileMoving = async () => {
    for (const { mode, status } of [...(await callAll()), ...(await callAll())]) {
      expect(status).toBe(200)
      modes.add(mode)
    }
    expect(await useSession(serviceStack.auth, site)).toEqual({ active: true, afterLogout: 'login_required' })
  }
  await cluster.moveSlots([await cluster.findSlot(window)], target, whileMoving)
  await whileMoving()
  expect([...modes]).toEqual([null])
  expect(await cluster.findMaster(window)).toBe(target)
  const consumed = Number(await redis.client.hget(window, 'base')) + Number(await redis.client.hget(window, 'added'))
  expect(await useUpLimit(callAll)).toEqual({ 200: limit - consumed, 429: limit + consumed })

  // The slots of sessions are random: two masters of three would have those of all these users with a chance of 1 in 10^17.
  const mostUsers = 100
  const countSessions = async () =>
    (await redis.onEach((master) => master.keys('provider-auth:session:*'))).map(({ length }) => length)
  for (let user = 0; user < mostUsers && (await countSessions()).includes(0); user++)
    await logInAs({ serviceStack, site }, `user ${user}`)
  expect(await countSessions()).not.toContain(0)
})

test('gateways and logins work while a master fails, and count at its replica afterwards', async () => {
  await using stack = new AsyncDisposableStack()
  const cluster = stack.use(await startRedisCluster(await createDirectory(), { replicas: 1 }))
  const { serviceStack, site, callAll, whenCountedInRedis } = await startWith(cluster.url, stack)
  await whenCountedInRedis()

  const master = await cluster.findMaster(`rate:${site.site}`)
  await master.kill()
  const during = await callAll()
  expect(during.map(({ status }) => status)).toEqual([200, 200])
  expect(during.map(({ mode }) => mode)).toEqual(['degraded', 'degraded'])
  await logInAs({ serviceStack, site }, 'during')
  await cluster.whenReplaced(master)
  await whenCountedInRedis()
  await logInAs({ serviceStack, site }, 'after')
  const { 200: admitted } = await useUpLimit(callAll)
  expect(admitted).toBeLessThanOrEqual(limit)

  await cluster.repair()
  const replaced = await cluster.findMaster(`rate:${site.site}`)
  await cluster.switchOver(replaced)
  await whenConnected(serviceStack)
})

/** Resolves when every process can use every master. */
async function whenConnected({ services }: ServiceStack) {
  const ports = [...services.api_gateway, ...services.provider_auth].map(({ operations_port }) => operations_port)
  const readConnected = async () => {
    const texts = await Promise.all(ports.map(async (port) => (await fetch(`http://localhost:${port}/metrics`)).text()))
    return texts.map((text) => /^sociallogin_redis_connected(?:\{[^}]*\})? (\d)$/m.exec(text)?.[1])
  }
  await expect.poll(readConnected).toEqual(['1', '1', '1'])
}

test('if a cluster cannot be used when a service starts, the error says why, without passwords', async () => {
  await using stack = new AsyncDisposableStack()
  const single = stack.use(await startTestRedis(await createDirectory()))
  const { host } = new URL(single.url)
  const open = async (url: string) => {
    await using _redis = await openRedis({ REDIS_URL: parseRedisUrl(url) }, createLogger('test', 'silent'))
  }
  const failure = (code: string) =>
    `Redis Cluster at ${host} cannot be used (${code}); check its address, its credentials`
  await expect(open(`redis+cluster://${host}`)).rejects.toThrow(failure('the server is not part of a Redis Cluster'))
  await expect(open(`redis+cluster://user:hunter2@${host}`)).rejects.toThrow(failure('WRONGPASS'))
  await single.stop()
  await expect(open(`redis+cluster://${host}`)).rejects.toThrow(failure('ECONNREFUSED'))
})
