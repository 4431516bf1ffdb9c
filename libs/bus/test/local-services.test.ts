import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import {
  connectBus,
  createClient,
  createLocalServices,
  type Handlers,
  newCall,
  RemoteDefect,
  serveContract,
} from '#bus'
import { defineContract, Fault } from '#contracts'
import { createLogger } from '#runtime'
import { type Outage, startTestNats } from '../../../testing/outage.ts'

const shop = defineContract(
  'shop',
  {
    order: {
      input: z.object({ items: z.array(z.string()) }),
      output: z.object({ items: z.array(z.string()), note: z.string().optional() }),
      faults: ['entity_not_found'],
    },
    wait: { input: z.object({}), output: z.object({}), faults: [] },
  },
  {},
)

const logger = createLogger('test', 'silent')
let directory: string
let nats: Outage
let stack: AsyncDisposableStack

beforeEach(async () => {
  stack = new AsyncDisposableStack()
  directory = await mkdtemp(join(tmpdir(), 'social-login-local-'))
  nats = await startTestNats(directory)
})
afterEach(async () => {
  await stack.disposeAsync()
  await nats.stop()
  await rm(directory, { recursive: true, force: true })
})

/** A service and a client in one process. */
async function startShop() {
  const received: string[][] = []
  const localServices = createLocalServices()
  const connect = async () => stack.use(await connectBus(nats.url, { name: 'test', logger, localServices }))
  const registry = new Registry()
  const handlers: Handlers<typeof shop, unknown> = {
    async order({ items }) {
      if (items.includes('unknown')) throw new Fault('entity_not_found')
      if (items.includes('broken')) throw new Error('broken')
      received.push(items)
      return { items, note: undefined }
    },
    wait: () => new Promise(() => {}),
  }
  const serverBus = await connect()
  const serving = serveContract(serverBus, shop, handlers, {}, { logger, registry })
  await serverBus.connection.flush()
  return { client: createClient(await connect(), shop, registry), received, serving, registry }
}

test('a service of the same process is called while NATS is unavailable', async () => {
  const { client, registry } = await startShop()
  await nats.stop()
  expect(await client.order({ items: ['tea'] }, newCall())).toStrictEqual({ items: ['tea'] })
  const metrics = await registry.metrics()
  for (const side of ['client', 'server'])
    expect(metrics).toMatch(new RegExp(`^sociallogin_rpc_${side}_duration_seconds_count{[^}]*} 1$`, 'm'))
})

test('neither side sees what the other changes later', async () => {
  const { client, received } = await startShop()
  const items = ['tea']
  const output = await client.order({ items }, newCall())
  items.push('cup')
  output.items.push('pot')
  expect(received).toEqual([['tea']])
})

test('faults, defects and malformed input are as over NATS', async () => {
  const { client } = await startShop()
  await expect(client.order({ items: ['unknown'] }, newCall())).rejects.toMatchObject({ fault: 'entity_not_found' })
  await expect(client.order({ items: ['broken'] }, newCall())).rejects.toBeInstanceOf(RemoteDefect)
  // @ts-expect-error a defect of the caller
  await expect(client.order({ items: 7 }, newCall())).rejects.toBeInstanceOf(RemoteDefect)
})

test('a call that is not answered in time fails, and one without time left is not started', async () => {
  const { client, received } = await startShop()
  await expect(client.wait({}, newCall({ withinMs: 20 }))).rejects.toMatchObject({ fault: 'unavailable' })
  await expect(client.order({ items: ['tea'] }, newCall({ withinMs: 0 }))).rejects.toMatchObject({
    fault: 'unavailable',
  })
  expect(received).toEqual([])
})

test('when the service of the process has ended, another process is called over NATS', async () => {
  const { client, received, serving } = await startShop()
  await serving[Symbol.asyncDispose]()
  const other = stack.use(await connectBus(nats.url, { name: 'other', logger }))
  const handlers: Handlers<typeof shop, unknown> = {
    order: async () => ({ items: ['of another process'] }),
    wait: async () => ({}),
  }
  stack.use(serveContract(other, shop, handlers, {}, { logger, registry: new Registry() }))
  await other.connection.flush()
  expect(await client.order({ items: ['tea'] }, newCall())).toEqual({ items: ['of another process'] })
  expect(received).toEqual([])
})
