import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type FaultProxy, type SeededSite, seedSite, startFaultProxy, startStack, startTestRedis } from '#testing'
import { logInWith } from './browser.ts'

const stack = new AsyncDisposableStack()
let proxy: FaultProxy
let site: SeededSite

beforeAll(async () => {
  const redis = stack.use(await startTestRedis(await mkdtemp(join(inject('directory'), 'silent-redis-'))))
  proxy = stack.use(await startFaultProxy(redis.url))
  site = await seedSite(stack.use(await startStack({ providerAuthEnvironment: { REDIS_URL: proxy.url } })))
})
afterAll(() => stack.disposeAsync())

const logInOnce = async () => {
  const { searchParams } = await logInWith(site, 'messaging')
  return searchParams.get('error') ?? (searchParams.has('code') ? 'code' : 'neither')
}

test('a login while the connection to Redis is silent ends with a code or an error, and logins complete afterwards', async () => {
  expect(await logInOnce()).toBe('code')
  proxy.setMode('black-hole')
  expect(await logInOnce()).toMatch(/^(code|server_error)$/)
  proxy.setMode('forward')
  await expect.poll(logInOnce).toBe('code')
})
