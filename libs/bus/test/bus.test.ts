import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
    if (name === 'nobody') throw new Fault('entity_not_found')
    if (name === 'undeclared') throw new Fault('last_provider')
    if (name === 'broken') throw new Error('broken')
    // More than the contract says, as a careless store would answer.
    return { greeting: `hello ${name}`, secret: 'never goes out' }
  },
  wait: async (_input, _deps, call) => ({ remaining_ms: remainingMs(call) }),
}

async function openBus(): Promise<Bus> {
  return connectBus(nats.url, { name: 'test', logger })
}

/** A served contract and a client of it, on two connections. */
async function served(answers = handlers) {
  const stack = new AsyncDisposableStack()
  const [answering, asking] = [stack.use(await openBus()), stack.use(await openBus())]
  const registry = new Registry()
  const serving = stack.use(serveContract(answering, greeter, answers, {}, { logger, registry }))
  await answering.connection.flush()
  return {
    registry,
    ask: createClient(asking, greeter, new Registry()),
    asking,
    serving,
    answering,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('an answer arrives, and nothing beyond its contract goes out', async () => {
  await using greeters = await served()
  expect(await greeters.ask.greet({ name: 'Ada' }, newCall())).toEqual({ greeting: 'hello Ada' })
})

test('a declared fault arrives as the fault it is', async () => {
  await using greeters = await served()
  await expect(greeters.ask.greet({ name: 'nobody' }, newCall())).rejects.toMatchObject({ fault: 'entity_not_found' })
})

test('a fault the contract does not declare is a defect, as is any other throw and a malformed question', async () => {
  await using greeters = await served()
  for (const name of ['undeclared', 'broken', 7]) {
    // @ts-expect-error a caller with another version of the contract may send anything
    await expect(greeters.ask.greet({ name }, newCall())).rejects.toBeInstanceOf(RemoteDefect)
  }
})

test('procedures are measured at both ends by what came of them', async () => {
  const finish = Promise.withResolvers<{ remaining_ms: number }>()
  await using greeters = await served({ ...handlers, wait: () => finish.promise })
  const registry = new Registry()
  const ask = createClient(greeters.asking, greeter, registry)
  for (const name of ['Ada', 'nobody', 'broken']) await ask.greet({ name }, newCall()).catch(() => {})
  await ask.wait({}, newCall({ withinMs: 50 })).catch(() => {})
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

test('a question nobody listens to is measured as one without responders', async () => {
  await using asking = await openBus()
  const registry = new Registry()
  const ask = createClient(asking, greeter, registry)
  await ask.greet({ name: 'Ada' }, newCall()).catch(() => {})
  expect(await outcomesIn(registry, 'client')).toEqual(['greet no_responders 1'])
})

/** `procedure outcome count` of what a registry measured. */
async function outcomesIn(registry: Registry, side: 'client' | 'server'): Promise<string[]> {
  const pattern = new RegExp(`^sociallogin_rpc_${side}_duration_seconds_count{(.*)} (\\d+)$`, 'gm')
  return [...(await registry.metrics()).matchAll(pattern)]
    .map(([, labels = '', count]) => {
      const read = (name: string) => new RegExp(`${name}="(\\w+)"`).exec(labels)?.[1]
      return `${read('rpc_method')} ${read('outcome')} ${count}`
    })
    .sort()
}

test('the time that is left travels with the question', async () => {
  await using greeters = await served()
  const { remaining_ms } = await greeters.ask.wait({}, newCall({ withinMs: 700 }))
  expect(remaining_ms).toBeGreaterThan(0)
  expect(remaining_ms).toBeLessThanOrEqual(700)
})

test('a question nobody answers in time is unavailable', async () => {
  const finish = Promise.withResolvers<{ remaining_ms: number }>()
  await using greeters = await served({ ...handlers, wait: () => finish.promise })
  await expect(greeters.ask.wait({}, newCall({ withinMs: 50 }))).rejects.toMatchObject({ fault: 'unavailable' })
  finish.resolve({ remaining_ms: 0 })
})

test('a question nobody listens to is unavailable long before its deadline, and answered by who comes meanwhile', async () => {
  await using asking = await openBus()
  const ask = createClient(asking, greeter, new Registry())
  const beganAt = performance.now()
  await expect(ask.greet({ name: 'Ada' }, newCall({ withinMs: 20_000 }))).rejects.toMatchObject({
    fault: 'unavailable',
  })
  expect(performance.now() - beganAt).toBeLessThan(10_000)

  const asked = ask.greet({ name: 'Ada' }, newCall())
  await using _greeters = await served()
  expect(await asked).toEqual({ greeting: 'hello Ada' })
})

test('stopping awaits the handlers at work, and their answers arrive', async () => {
  const begun = Promise.withResolvers<Call>()
  const finish = Promise.withResolvers<void>()
  await using greeters = await served({
    ...handlers,
    async wait(_input, _deps, call) {
      begun.resolve(call)
      await finish.promise
      return { remaining_ms: 1 }
    },
  })
  const asked = greeters.ask.wait({}, newCall())
  await begun.promise
  const stopped = greeters.serving[Symbol.asyncDispose]()
  finish.resolve()
  await stopped
  expect(await asked).toEqual({ remaining_ms: 1 })
})

test('two replicas share the questions: each is answered once', async () => {
  const answered: string[] = []
  const counting = (replica: string) => ({
    ...handlers,
    async greet({ name }: { name: string }) {
      answered.push(replica)
      return { greeting: name }
    },
  })
  await using first = await served(counting('first'))
  await using _second = await served(counting('second'))
  await Promise.all(Array.from({ length: 60 }, () => first.ask.greet({ name: 'Ada' }, newCall())))
  expect(answered).toHaveLength(60)
  expect(new Set(answered)).toEqual(new Set(['first', 'second']))
})

test('a notice reaches every listener', async () => {
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

test('a connection that is lost fails what waits at once; when NATS is back everything goes on', async () => {
  const begun = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<{ remaining_ms: number }>()
  await using greeters = await served({
    ...handlers,
    wait() {
      begun.resolve()
      return finish.promise
    },
  })
  const asked = expect(greeters.ask.wait({}, newCall({ withinMs: 60_000 }))).rejects.toMatchObject({
    fault: 'unavailable',
  })
  await begun.promise
  await nats.stop()
  await asked
  await nats.start()
  expect(await greeters.answering.whenConnected(10_000)).toBe(true)
  expect(await greeters.asking.whenConnected(10_000)).toBe(true)
  expect(await greeters.ask.greet({ name: 'Ada' }, newCall())).toEqual({ greeting: 'hello Ada' })
  finish.resolve({ remaining_ms: 0 })
}, 30_000)
