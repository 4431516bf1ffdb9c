import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { connectBus, createClient, newCall, serveContract } from '#bus'
import { defineContract } from '#contracts'
import { createLogger } from '#runtime'
import { startNatsCluster } from '../../../testing/nats-cluster.ts'

const logger = createLogger('test', 'silent')
const greeter = defineContract('greeter', {
  greet: { input: z.object({}), output: z.object({ greeting: z.string() }), faults: [], repeatable: true },
})

test('calls succeed after each server of a cluster was killed in turn, also at servers that are not in the URL', async () => {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-cluster-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const cluster = stack.use(await startNatsCluster(directory))
  const url = cluster.urls.slice(0, 2).join(',')
  const [serving, calling] = [
    stack.use(await connectBus(url, { name: 'serving', logger })),
    stack.use(await connectBus(url, { name: 'calling', logger })),
  ]
  const handlers = { greet: async () => ({ greeting: 'hello' }) }
  const context = { logger, registry: new Registry() }
  stack.use(serveContract(serving, greeter, handlers, {}, context))
  const { greet } = createClient(calling, greeter, new Registry())
  const greetOnce = () => greet({}, newCall()).then(({ greeting }) => greeting, String)
  await expect.poll(greetOnce).toBe('hello')
  for (const server of cluster.servers) {
    await server.kill()
    await expect.poll(greetOnce).toBe('hello')
    await server.start()
  }
  expect(await greetOnce()).toBe('hello')
})
