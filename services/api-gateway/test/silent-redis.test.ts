import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type FaultProxy, seedSite, startFaultProxy, startStack, startTestRedis } from '#testing'
import { createCaller, type WebApiCaller } from './caller.ts'

const stack = new AsyncDisposableStack()
let proxy: FaultProxy
let caller: WebApiCaller

beforeAll(async () => {
  const redis = stack.use(await startTestRedis(await mkdtemp(join(inject('directory'), 'silent-redis-'))))
  proxy = stack.use(await startFaultProxy(redis.url))
  const serviceStack = stack.use(
    await startStack({ gatewayEnvironment: { REDIS_URL: proxy.url, RATE_TIMEOUT_MS: '500' } }),
  )
  const { api_key } = await seedSite(serviceStack)
  caller = createCaller(serviceStack.web_api, api_key)
})
afterAll(() => stack.disposeAsync())

const readMode = async () => {
  const { status, headers } = await caller.get('appinfo')
  return { status, mode: headers.get('x-ratelimit-mode') }
}

test('a gateway serves while its connection to Redis is silent, and counts in Redis again afterwards', async () => {
  expect(await readMode()).toEqual({ status: 200, mode: null })
  proxy.setMode('black-hole')
  expect(await readMode()).toEqual({ status: 200, mode: 'degraded' })
  proxy.setMode('forward')
  await expect.poll(readMode).toEqual({ status: 200, mode: null })
})
