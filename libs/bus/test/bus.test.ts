import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Bus,
  type Call,
  connectBus,
  createClient,
  type Handlers,
  newCall,
  publishNotice,
  RemoteDefect,
  remainingMs,
  serveContract,
  subscribeNotice,
} from '#bus'
import { defineContract, Fault } from '#contracts'
import { createLogger } from '#runtime'
import { startFaultProxy } from '../../../testing/fault-proxy.ts'
import { type Outage, startTestNats } from '../../../testing/outage.ts'

const greeter = defineContract(
  'greeter',
  {
    greet: {
      input: z.object({ name: z.string() }),
      output: z.object({ greeting: z.string() }),
      faults: ['entity_not_found'],
    },
    wait: { input: z.object({}), output: z.object({ remaining_ms: z.number() }), faults: [] },
  },
  { greeted: { payload: z.object({ name: z.string() }) } },
)

const logger = createLogger('test', 'silent')
let directory: string
let nats: Outage

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'social-login-bus-'))
  nats = await startTestNats(directory)
})
afterAll(async () => {
  await nats.stop()
  await rm(directory, { recursive: true, force: true })
})

const handlers: Handlers<typeof greeter, unknown> = {
  async greet({ name }) {
    if (name === 'unknown') throw new Fault('entity_not_found')
    if (name === 'undeclared') throw new Fault('last_provider')
    if (name === 'broken') throw new Error('broken')
    // More than the contract declares, as a careless store would return.
    return { greeting: `hello ${name}`, secret: 'never goes out' }
  },
  wait: async (_input, _deps, call) => ({ remaining_ms: remainingMs(call) }),
}

async function openBus(): Promise<Bus> {
  return connectBus(nats.url, { name: 'test', logger })
}

/** A served contract and a client of it, on two connections. */
async function served(contractHandlers = handlers) {
  const stack = new AsyncDisposableStack()
  const [serverBus, clientBus] = [stack.use(await openBus()), stack.use(await openBus())]
  const registry = new Registry()
  const serving = stack.use(serveContract(serverBus, greeter, contractHandlers, {}, { logger, registry }))
  await serverBus.connection.flush()
  return {
    registry,
    client: createClient(clientBus, greeter, new Registry()),
    clientBus,
    serving,
    serverBus,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('the output arrives without fields that the contract does not declare', async () => {
  await using greeters = await served()
  expect(await greeters.client.greet({ name: 'Ada' }, newCall())).toEqual({ greeting: 'hello Ada' })
})

test('a declared fault arrives as this fault', async () => {
  await using greeters = await served()
  await expect(greeters.client.greet({ name: 'unknown' }, newCall())).rejects.toMatchObject({
    fault: 'entity_not_found',
  })
})

test('undeclared faults, other errors and malformed input are defects', async () => {
  await using greeters = await served()
  for (const name of ['undeclared', 'broken', 7]) {
    // @ts-expect-error a caller with another version of the contract can send anything
    await expect(greeters.client.greet({ name }, newCall())).rejects.toBeInstanceOf(RemoteDefect)
  }
})

test('calls are measured by outcome, by the caller and the server', async () => {
  const finish = Promise.withResolvers<{ remaining_ms: number }>()
  await using greeters = await served({ ...handlers, wait: () => finish.promise })
  const registry = new Registry()
  const client = createClient(greeters.clientBus, greeter, registry)
  for (const name of ['Ada', 'unknown', 'broken']) await client.greet({ name }, newCall()).catch(() => {})
  await client.wait({}, newCall({ withinMs: 4_000 })).catch(() => {})
  const counted = await outcomesIn(registry, 'client')
  expect(counted).toEqual(['greet app_error 1', 'greet defect 1', 'greet ok 1', 'wait timeout 1'])
  finish.resolve({ remaining_ms: 0 })
  await greeters.serving[Symbol.asyncDispose]()
  expect(await outcomesIn(greeters.registry, 'server')).toEqual([
    'greet app_error 1',
    'greet defect 1',
    'greet ok 1',
    'wait ok 1',
  ])
})

test('a call without a server is measured as no_responders', async () => {
  await using clientBus = await openBus()
  const registry = new Registry()
  const client = createClient(clientBus, greeter, registry)
  await client.greet({ name: 'Ada' }, newCall()).catch(() => {})
  expect(await outcomesIn(registry, 'client')).toEqual(['greet no_responders 1'])
})

/** `procedure outcome count` from a registry. */
async function outcomesIn(registry: Registry, side: 'client' | 'server'): Promise<string[]> {
  const pattern = new RegExp(`^sociallogin_rpc_${side}_duration_seconds_count{(.*)} (\\d+)$`, 'gm')
  return [...(await registry.metrics()).matchAll(pattern)]
    .map(([, labels = '', count]) => {
      const read = (name: string) => new RegExp(`${name}="(\\w+)"`).exec(labels)?.[1]
      return `${read('rpc_method')} ${read('outcome')} ${count}`
    })
    .sort()
}

test('the remaining time is sent with a call', async () => {
  await using greeters = await served()
  const { remaining_ms } = await greeters.client.wait({}, newCall({ withinMs: 5_000 }))
  expect(remaining_ms).toBeGreaterThan(0)
  expect(remaining_ms).toBeLessThanOrEqual(5_000)
})

test('a call without a reply in time is unavailable', async () => {
  const finish = Promise.withResolvers<{ remaining_ms: number }>()
  await using greeters = await served({ ...handlers, wait: () => finish.promise })
  await expect(greeters.client.wait({}, newCall({ withinMs: 50 }))).rejects.toMatchObject({ fault: 'unavailable' })
  finish.resolve({ remaining_ms: 0 })
})

test('a call without a server is unavailable long before its deadline, unless a server starts meanwhile', async () => {
  await using clientBus = await openBus()
  const client = createClient(clientBus, greeter, new Registry())
  const startedAt = performance.now()
  await expect(client.greet({ name: 'Ada' }, newCall({ withinMs: 20_000 }))).rejects.toMatchObject({
    fault: 'unavailable',
  })
  expect(performance.now() - startedAt).toBeLessThan(10_000)

  const pendingCall = client.greet({ name: 'Ada' }, newCall())
  await using _greeters = await served()
  expect(await pendingCall).toEqual({ greeting: 'hello Ada' })
})

test('stopping awaits running handlers, and their replies arrive', async () => {
  const started = Promise.withResolvers<Call>()
  const finish = Promise.withResolvers<void>()
  await using greeters = await served({
    ...handlers,
    async wait(_input, _deps, call) {
      started.resolve(call)
      await finish.promise
      return { remaining_ms: 1 }
    },
  })
  const pendingCall = greeters.client.wait({}, newCall())
  await started.promise
  const stopped = greeters.serving[Symbol.asyncDispose]()
  finish.resolve()
  await stopped
  expect(await pendingCall).toEqual({ remaining_ms: 1 })
})

test('two replicas share the calls: each is served once', async () => {
  const servedBy: string[] = []
  const counting = (replica: string) => ({
    ...handlers,
    async greet({ name }: { name: string }) {
      servedBy.push(replica)
      return { greeting: name }
    },
  })
  await using first = await served(counting('first'))
  await using _second = await served(counting('second'))
  const calls: Promise<unknown>[] = []
  for (let n = 0; n < 60; n++) {
    calls.push(first.client.greet({ name: 'Ada' }, newCall()))
    // Those of one turn share a message.
    await turn()
  }
  await Promise.all(calls)
  expect(servedBy).toHaveLength(60)
  expect(new Set(servedBy)).toEqual(new Set(['first', 'second']))
})

test('a notice reaches every subscriber', async () => {
  await using teller = await openBus()
  await using first = await openBus()
  await using second = await openBus()
  const heard = [first, second].map((bus) => {
    const notice = Promise.withResolvers<unknown>()
    subscribeNotice(bus, greeter, 'greeted', notice.resolve, logger)
    return notice.promise
  })
  await Promise.all([first.connection.flush(), second.connection.flush()])
  publishNotice(teller, greeter, 'greeted', { name: 'Ada' })
  expect(await Promise.all(heard)).toEqual([{ name: 'Ada' }, { name: 'Ada' }])
})

test('a server that does not answer the first connection in time is connected all the same', async () => {
  await using proxy = await startFaultProxy(nats.url)
  proxy.setMode('black-hole')
  const opening = connectBus(proxy.url, { name: 'test', logger })
  await expect.poll(proxy.countAccepted).toBe(2)
  proxy.setMode('forward')
  await using bus = await opening
  expect(bus.connected()).toBe(true)
})

test('a connection that went silent is replaced', async () => {
  await using proxy = await startFaultProxy(nats.url)
  await using serverBus = await connectBus(nats.url, { name: 'greeter', logger })
  await using _server = serveContract(serverBus, greeter, handlers, {}, { logger, registry: new Registry() })
  await using bus = await connectBus(proxy.url, { name: 'test', logger })
  const client = createClient(bus, greeter, new Registry())
  const greet = () => client.greet({ name: 'again' }, newCall())
  expect(await greet()).toEqual({ greeting: 'hello again' })
  proxy.setMode('black-hole')
  await expect(greet()).rejects.toMatchObject({ fault: 'unavailable' })
  await expect.poll(bus.connected).toBe(false)
  proxy.setMode('forward')
  expect(await bus.whenConnected(10_000)).toBe(true)
  expect(await greet()).toEqual({ greeting: 'hello again' })
})

test('a lost connection fails pending calls immediately; everything works again when NATS is back', async () => {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<{ remaining_ms: number }>()
  await using greeters = await served({
    ...handlers,
    wait() {
      started.resolve()
      return finish.promise
    },
  })
  const pendingCall = expect(greeters.client.wait({}, newCall({ withinMs: 60_000 }))).rejects.toMatchObject({
    fault: 'unavailable',
  })
  await started.promise
  await nats.stop()
  await pendingCall
  await nats.start()
  expect(await greeters.serverBus.whenConnected(10_000)).toBe(true)
  expect(await greeters.clientBus.whenConnected(10_000)).toBe(true)
  expect(await greeters.client.greet({ name: 'Ada' }, newCall())).toEqual({ greeting: 'hello Ada' })
  finish.resolve({ remaining_ms: 0 })
})

test('the calls of one turn share messages, and each gets its own answer when it is ready', async () => {
  const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await using greeters = await served({
    ...handlers,
    async wait() {
      started.resolve()
      await finish.promise
      return { remaining_ms: 1 }
    },
  })
  const { connection } = greeters.clientBus
  const sentBefore = connection.stats().outMsgs
  const names = Array.from({ length: 40 }, (_, n) => `caller ${n}`)
  const waiting = greeters.client.wait({}, newCall())
  const greetings = await Promise.all(names.map((name) => greeters.client.greet({ name }, newCall())))
  await started.promise
  expect(greetings.map(({ greeting }) => greeting)).toEqual(names.map((name) => `hello ${name}`))
  // Three messages of at most 16 calls, and one for the other procedure.
  expect(connection.stats().outMsgs - sentBefore).toBe(4)
  finish.resolve()
  expect(await waiting).toEqual({ remaining_ms: 1 })
})

test('large inputs and outputs of one turn do not exceed the limit of a message', async () => {
  await using greeters = await served()
  const name = 'n'.repeat(200_000)
  const greetings = await Promise.all(Array.from({ length: 16 }, () => greeters.client.greet({ name }, newCall())))
  expect(greetings.map(({ greeting }) => greeting.length)).toEqual(greetings.map(() => 200_006))
})

test('messages that are malformed are logged without their content, and harm no other', async () => {
  const lines: string[] = []
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) })
  await using bus = await connectBus(nats.url, { name: 'test', logger: log })
  await using _serving = serveContract(bus, greeter, handlers, {}, { logger: log, registry: new Registry() })
  using _subscription = subscribeNotice(bus, greeter, 'greeted', () => {}, log)
  const client = createClient(bus, greeter, new Registry())
  const malformed = ['ada@example.com', '{"input":"ada@example.com"}', '[{"place":"ada@example.com"}]']
  const subjects = ['greeter.greet', 'greeter.greeted', 'greeter.replicas', '_INBOX.test.greeter.x']
  for (const subject of subjects) for (const content of malformed) bus.connection.publish(subject, content)
  // An answer of another server, for a call that waits for one.
  bus.connection.subscribe('greeter.wait', { queue: 'other', callback: (_, message) => void message.respond('ada@') })
  expect(await client.wait({}, newCall())).toMatchObject({ remaining_ms: expect.any(Number) })
  expect(await client.greet({ name: 'Ada' }, newCall())).toEqual({ greeting: 'hello Ada' })
  await expect.poll(() => lines.filter((line) => line.includes('malformed answer'))).not.toEqual([])
  expect(lines.filter((line) => line.includes('malformed message')).length).toBeGreaterThanOrEqual(6)
  expect(lines.filter((line) => line.includes('malformed notice'))).toHaveLength(3)
  expect(lines.join()).not.toContain('ada@')
})
