import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { seedSite, waitFor } from '#testing'
import { createCaller } from './caller.ts'
import { setOwnStage } from './stage.ts'

/** Twice as long as a test usually takes, so that the window does not end during a test on a busy machine. */
const windowSeconds = 12
const limit = 600
const gateways = 3
const requestersPerGateway = 4

/** A TCP proxy that delays Redis' replies, with a separate delay per connection. */
const proxy = {
  target: '',
  delay_ms: (_connection: number) => 0,
  connections: 0,
  /** The connection that sent a request last. */
  last: -1,
  open: new Set<Socket>(),
  server: createServer((socket) => {
    if (proxy.target === '') return socket.destroy()
    const { hostname, port } = new URL(proxy.target)
    const redis = connect(Number(port), hostname)
    const connection = proxy.connections++
    proxy.open.add(socket)
    socket.on('data', (chunk) => {
      proxy.last = connection
      redis.write(chunk)
    })
    let sent = Promise.resolve()
    redis.on('data', (chunk) => {
      const due = delay(proxy.delay_ms(connection))
      sent = sent.then(() => due).then(() => void socket.write(chunk))
    })
    socket.on('close', () => redis.destroy()).on('error', () => {})
    redis.on('close', () => socket.destroy()).on('error', () => {})
  }),
}
await once(proxy.server.listen(0, '127.0.0.1'), 'listening')
const { port } = proxy.server.address() as AddressInfo // as it listens on a port

const stage = setOwnStage({
  gateways,
  gatewayEnvironment: {
    REDIS_URL: `redis://127.0.0.1:${port}`,
    RATE_WINDOW_SECONDS: String(windowSeconds),
    RATE_TIMEOUT_MS: '150',
  },
})
beforeAll(async () => {
  proxy.target = stage.serviceStack.redis.url
  for (const { operations_port } of stage.serviceStack.services.api_gateway)
    await waitFor(async () =>
      expect(await (await fetch(`http://localhost:${operations_port}/metrics`)).text()).toMatch(
        /^sociallogin_gateways_serving{[^}]*} 3$/m,
      ),
    )
  sites = await Promise.all(Array.from({ length: numberOfTests }, prepareSite))
  await delay(Math.max(...sites.map(({ reset_at }) => reset_at)) - Date.now())
})
afterAll(() => {
  for (const socket of proxy.open) socket.destroy()
  proxy.server.close()
})

/** Each test takes one of these, whose windows end together before the first test. */
const numberOfTests = 7
let sites: Awaited<ReturnType<typeof prepareSite>>[] = []

/** A site that had no calls in the current window, and whose limit each gateway knows. */
function takeSite() {
  const site = sites.pop()
  if (site === undefined) throw new Error('There are more tests than prepared sites.')
  return site
}

/** Creates a site and calls it at each gateway until its limit is known; returns when the window of those calls ends. */
async function prepareSite() {
  const { identity, call, gateways: addresses } = stage.serviceStack
  const { site, api_key } = await seedSite(stage.serviceStack)
  await identity.changeSite({ site, requests_per_window: limit }, call())
  const callers = addresses.map((address) => createCaller(address, api_key))
  const at = (gateway: number) => {
    const caller = callers[gateway % gateways]
    if (caller === undefined) throw new Error('There are three gateways.')
    return caller
  }
  const sendRequest = async (gateway: number) => {
    const { status, headers } = await at(gateway).get('appinfo')
    return { status, headers, reset_at: Date.parse(headers.get('x-ratelimit-reset') ?? '') }
  }
  for (const gateway of callers.keys())
    await waitFor(async () => {
      const { headers } = await sendRequest(gateway)
      expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-mode')]).toEqual([String(limit), null])
    })
  const { reset_at } = await sendRequest(0)
  return { sendRequest, reset_at }
}

type SendRequest = Awaited<ReturnType<typeof prepareSite>>['sendRequest']

/** Requests sent and admitted so far in the window that began with them, and those of the admitted in degraded mode. */
interface Tally {
  sent: number
  admitted: number
  alone: number
  /** When that window ends; on a machine that stops, requests can come after it. */
  reset_at?: number
}

/** Calls each gateway repeatedly for a time, and counts in `tally`, which it returns. */
async function press(sendRequest: SendRequest, forMs: number, tally: Tally = { sent: 0, admitted: 0, alone: 0 }) {
  const until = performance.now() + forMs
  const pressOne = async (gateway: number) => {
    while (performance.now() < until) {
      const { status, headers, reset_at } = await sendRequest(gateway)
      tally.reset_at ??= reset_at
      // Gateways round the same end differently.
      if (reset_at < tally.reset_at + (windowSeconds * 1_000) / 2) {
        tally.sent++
        if (status === 200) tally.admitted++
        if (status === 200 && headers.get('x-ratelimit-mode') !== null) tally.alone++
      }
      await delay(20)
    }
  }
  const requesters = gateways * requestersPerGateway
  await Promise.all(Array.from({ length: requesters }, (_, requester) => pressOne(requester % gateways)))
  return tally
}

/** Starts to call each gateway, and returns while most of the limit is left, however fast the machine is. */
async function startPressing(sendRequest: SendRequest, forMs: number) {
  const tally: Tally = { sent: 0, admitted: 0, alone: 0 }
  const pressing = press(sendRequest, forMs, tally)
  await vi.waitFor(() => expect(tally.admitted).toBeGreaterThanOrEqual(limit / 12), { interval: 1, timeout: forMs })
  return { whenOver: () => pressing }
}

const most = limit + gateways

/** The process ID of Redis. */
async function findRedis(): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const observer = stack.adopt(new Redis(stage.serviceStack.redis.url), (client) => client.disconnect())
  return Number(/^process_id:(\d+)/m.exec(await observer.info('server'))?.[1])
}

/** What happens to Redis while gateways are called; afterwards it works again. */
const faults: Record<string, () => Promise<void>> = {
  async stopped() {
    const pid = await findRedis()
    process.kill(pid, 'SIGSTOP')
    await delay(1_000)
    process.kill(pid, 'SIGCONT')
  },
  async killed() {
    const { redis } = stage.serviceStack
    process.kill(await findRedis(), 'SIGKILL')
    await redis.stop()
    await redis.start()
  },
  async slow() {
    const startedAt = performance.now()
    proxy.delay_ms = () => (Math.floor((performance.now() - startedAt) / 300) % 2 === 0 ? 400 : 0)
    await delay(1_000)
    proxy.delay_ms = () => 0
  },
}

test.each([[['stopped', 'killed', 'slow']], [['killed', 'slow', 'killed', 'stopped']]])(
  'Redis is %j within one window: never more than the limit',
  async (sequence) => {
    const { sendRequest } = takeSite()
    const { whenOver } = await startPressing(sendRequest, 7_000)
    for (const fault of sequence) {
      await faults[fault]?.()
      await delay(300)
    }
    const { admitted, alone } = await whenOver()
    expect(admitted).toBeLessThanOrEqual(most)
    expect(alone).toBeGreaterThan(0)
  },
)

test('Redis restarts without data: never more than the limit', async () => {
  const { sendRequest } = takeSite()
  const { redis } = stage.serviceStack
  const { whenOver } = await startPressing(sendRequest, 4_500)
  await redis.stop()
  await delay(200)
  await redis.start()
  const { admitted, alone } = await whenOver()
  expect(admitted).toBeLessThanOrEqual(most)
  expect(alone).toBeGreaterThan(0)
})

test.each([
  ['for every gateway', () => true],
  ['for one gateway', (connection: number) => connection % 2 === 0],
])('Redis is repeatedly slow %s: never more than the limit', async (_, isConcerned) => {
  const { sendRequest } = takeSite()
  const startedAt = performance.now()
  proxy.delay_ms = (connection) =>
    isConcerned(connection) && Math.floor((performance.now() - startedAt) / 300) % 2 === 1 ? 400 : 0
  const { sent, admitted } = await press(sendRequest, 4_500)
  proxy.delay_ms = () => 0
  expect(admitted).toBeLessThanOrEqual(most)
  expect(admitted).toBeGreaterThan(Math.min(sent, limit) / 4)
})

test('requests that wait for Redis when an outage begins take from the shares of their gateways', async () => {
  const { sendRequest } = takeSite()
  let admitted = 0
  const send = async (gateway: number) => {
    if ((await sendRequest(gateway)).status === 200) admitted++
  }
  await send(0)
  const silent = proxy.last
  proxy.delay_ms = (connection) => (connection === silent ? 2_000 : 100)
  const first = send(0)
  // At the first gateway Redis times out after 150 ms, when these wait for it.
  await delay(80)
  const waiting = Array.from({ length: 100 }, (_, index) => send(1 + (index % 2)))
  await first
  proxy.delay_ms = (connection) => (connection === silent ? 2_000 : 0)
  const { sent, admitted: later } = await press(sendRequest, 4_500)
  await Promise.all(waiting)
  proxy.delay_ms = () => 0
  expect(admitted + later).toBeLessThanOrEqual(most)
  // A slow machine does not send enough to reach the limit.
  expect(admitted + later).toBeGreaterThan(Math.min(sent, limit) / 2)
})

test('if one gateway served most of the window when Redis stops, the other learns it, and they share the rest', async () => {
  const { sendRequest } = takeSite()
  // On a busy machine Redis may be slow, and the gateway briefly applies its share.
  for (let count = 0; count < 50; ) {
    if ((await sendRequest(0)).status === 200) count++
    else await delay(50)
  }
  const { redis } = stage.serviceStack
  await redis.stop()
  const { admitted, alone } = await press(sendRequest, 1_500)
  expect(admitted).toBeLessThanOrEqual(most - 50)
  expect(alone).toBe(admitted)
  expect(admitted).toBeGreaterThanOrEqual(8)
  await redis.start()
  const { admitted: later } = await press(sendRequest, 4_500)
  expect(50 + admitted + later).toBeLessThanOrEqual(most)
})
