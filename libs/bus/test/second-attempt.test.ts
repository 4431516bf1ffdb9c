import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Bus, connectBus, createClient, newCall, serveContract } from '#bus'
import { defineContract, Fault } from '#contracts'
import { createLogger } from '#runtime'
import { type FaultProxy, startFaultProxy } from '../../../testing/fault-proxy.ts'
import { type Outage, startTestNats } from '../../../testing/outage.ts'

const clerk = defineContract('clerk', {
  read: { input: z.object({}), output: z.object({ by: z.string() }), faults: ['entity_not_found'], repeatable: true },
  write: { input: z.object({}), output: z.object({ by: z.string() }), faults: [] },
})

const logger = createLogger('test', 'silent')
let directory: string
let nats: Outage
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'social-login-second-attempt-'))
  nats = await startTestNats(directory)
})
afterAll(async () => {
  await nats.stop()
  await rm(directory, { recursive: true, force: true })
})

/** Two replicas, of which `first` is connected through a proxy, and a client. `calls` are the replicas that were called. */
async function startTwo({
  isFirstReady = (): boolean => true,
  ready = (): boolean => true,
  read = async (by: string) => ({ by }),
} = {}) {
  const stack = new AsyncDisposableStack()
  const proxy = stack.use(await startFaultProxy(nats.url))
  const calls: string[] = []
  const serve = async (by: string, url: string, isReady: () => boolean) => {
    const bus = stack.use(await connectBus(url, { name: by, logger }))
    const handlers = {
      read() {
        calls.push(by)
        return read(by)
      },
      async write() {
        calls.push(by)
        return { by }
      },
    }
    const readiness = { missing: () => (isReady() ? [] : ['database']) }
    const options = { logger, registry: new Registry(), readiness }
    const serving = stack.use(serveContract(bus, clerk, handlers, {}, options))
    await bus.connection.flush()
    return serving
  }
  const first = await serve('first', proxy.url, isFirstReady)
  const endFirst = () => first[Symbol.asyncDispose]()
  await serve('second', nats.url, ready)
  const clientBus: Bus = stack.use(await connectBus(nats.url, { name: 'caller', logger }))
  const registry = new Registry()
  const client = createClient(clientBus, clerk, registry)
  const countAttempts = async (outcome: string) => {
    const metric = await registry.getSingleMetric('sociallogin_rpc_second_attempts_total')?.get()
    return metric?.values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0
  }
  return {
    proxy,
    calls,
    client,
    clientBus,
    countAttempts,
    endFirst,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Calls that the silent replica gets half of: one of them reaches it with near certainty. Each has a message of its own. */
async function manyCalls<T>(call: () => Promise<T>): Promise<PromiseSettledResult<T>[]> {
  const calls: Promise<T>[] = []
  for (let n = 0; n < 20; n++) {
    calls.push(call())
    await turn()
    // The message of a call leaves in the turn after it; a call that is made before would share it.
    await turn()
  }
  return Promise.allSettled(calls)
}
const silence = (proxy: FaultProxy) => proxy.setMode('black-hole')

test('reads are answered by the other replica while one is silent', async () => {
  await using two = await startTwo()
  await manyCalls(() => two.client.read({}, newCall()))
  expect(new Set(two.calls)).toEqual(new Set(['first', 'second']))
  silence(two.proxy)
  const answers = await manyCalls(() => two.client.read({}, newCall({ withinMs: 20_000 })))
  expect(answers).toEqual(answers.map(() => ({ status: 'fulfilled', value: { by: 'second' } })))
  expect(await two.countAttempts('answered')).toBeGreaterThan(0)

  // The silent replica is avoided: no further call needs a second attempt.
  const before = await two.countAttempts('answered')
  const later = await manyCalls(() => two.client.read({}, newCall({ withinMs: 20_000 })))
  expect(later).toEqual(answers)
  expect(await two.countAttempts('answered')).toBe(before)
})

test('a call that one replica cannot serve is answered by the other', async () => {
  await using two = await startTwo({
    async read(by) {
      if (by === 'first') throw new Fault('unavailable')
      return { by }
    },
    isFirstReady: () => false,
  })
  const answers = await manyCalls(() => two.client.read({}, newCall()))
  expect(answers).toEqual(answers.map(() => ({ status: 'fulfilled', value: { by: 'second' } })))

  const called = two.calls.filter((by) => by === 'first').length
  const later = await manyCalls(() => two.client.read({}, newCall()))
  expect(later).toEqual(answers)
  expect(two.calls.filter((by) => by === 'first')).toHaveLength(called)
})

test('a replica that refuses calls and does not know yet that it is not ready is avoided', async () => {
  await using two = await startTwo({
    async read(by) {
      // This replica is the first to say that it is ready: no proxy delays it.
      if (by === 'second') throw new Fault('unavailable')
      return { by }
    },
  })
  for (let round = 0; round < 10; round++) {
    const answers = await manyCalls(() => two.client.read({}, newCall()))
    expect(answers).toEqual(answers.map(() => ({ status: 'fulfilled', value: { by: 'first' } })))
  }
})

test('a replica that is slow gets few calls', async () => {
  const finish = Promise.withResolvers<void>()
  await using two = await startTwo({
    async read(by) {
      // It replies first when replicas are searched: no proxy delays it.
      if (by === 'second') await finish.promise
      return { by }
    },
  })
  const answers = await manyCalls(() => two.client.read({}, newCall()))
  expect(answers).toEqual(answers.map(() => ({ status: 'fulfilled', value: { by: 'first' } })))
  const called = two.calls.filter((by) => by === 'second').length
  for (let round = 0; round < 10; round++) await manyCalls(() => two.client.read({}, newCall()))
  expect(two.calls.filter((by) => by === 'second')).toHaveLength(called)
  finish.resolve()
})

test('calls go to other replicas when the one that is preferred has ended', async () => {
  let isSecondAvailable = false
  await using two = await startTwo({
    async read(by) {
      if (by === 'second' && !isSecondAvailable) throw new Fault('unavailable')
      return { by }
    },
  })
  await manyCalls(() => two.client.read({}, newCall()))
  isSecondAvailable = true
  await two.endFirst()
  const answers = await manyCalls(() => two.client.read({}, newCall()))
  expect(answers).toEqual(answers.map(() => ({ status: 'fulfilled', value: { by: 'second' } })))
})

test('a call that is not repeatable is made once: it is unavailable if the silent replica got it', async () => {
  await using two = await startTwo()
  silence(two.proxy)
  const answers = await manyCalls(() => two.client.write({}, newCall({ withinMs: 5_000 })))
  const failed = answers.filter(({ status }) => status === 'rejected')
  expect(failed.length).toBeGreaterThan(0)
  expect(failed).toEqual(failed.map(() => ({ status: 'rejected', reason: new Fault('unavailable') })))
  expect(two.calls).toHaveLength(answers.length - failed.length)
})

test('no second attempt goes to a replica that is not ready', async () => {
  await using two = await startTwo({ ready: () => false })
  silence(two.proxy)
  const answers = await manyCalls(() => two.client.read({}, newCall({ withinMs: 5_000 })))
  const failed = answers.filter(({ status }) => status === 'rejected')
  expect(two.calls).toHaveLength(answers.length - failed.length)
  expect(await two.countAttempts('no_replica')).toBe(failed.length)
})

test('the first attempt stays open: its late answer counts if the second is not answered', async () => {
  const first = Promise.withResolvers<void>()
  const calledTwice = Promise.withResolvers<void>()
  let calls = 0
  await using two = await startTwo({
    async read(by) {
      calls++
      if (calls === 1) {
        await first.promise
        return { by: `first attempt at ${by}` }
      }
      calledTwice.resolve()
      throw new Fault('unavailable')
    },
  })
  const reading = two.client.read({}, newCall({ withinMs: 20_000 }))
  await calledTwice.promise
  first.resolve()
  expect((await reading).by).toMatch(/^first attempt/)
  expect(await two.countAttempts('not_needed')).toBe(1)
})

test('a fault of the second attempt is the answer', async () => {
  const first = Promise.withResolvers<{ by: string }>()
  let calls = 0
  await using two = await startTwo({
    async read() {
      calls++
      if (calls === 1) return first.promise
      throw new Fault('entity_not_found')
    },
  })
  const reading = two.client.read({}, newCall({ withinMs: 20_000 }))
  await expect(reading).rejects.toMatchObject({ fault: 'entity_not_found' })
  first.resolve({ by: 'late' })
})

test('a repeatable call is made again after its connection was lost', async () => {
  const started = Promise.withResolvers<void>()
  const first = Promise.withResolvers<{ by: string }>()
  let calls = 0
  await using two = await startTwo({
    async read(by) {
      calls++
      started.resolve()
      return calls === 1 ? first.promise : { by }
    },
  })
  const reading = two.client.read({}, newCall({ withinMs: 20_000 }))
  await started.promise
  await nats.stop()
  await nats.start()
  expect(await reading).toMatchObject({ by: expect.stringMatching(/^(first|second)$/) })
  first.resolve({ by: 'late' })
})
