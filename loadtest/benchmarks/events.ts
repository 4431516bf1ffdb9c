import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { z } from 'zod'
import { type BusClient, connectBus, createClient, newCall } from '#bus'
import { eventsContract, identityContract, limits, type NewEvent } from '#contracts'
import { ensurePrograms, SetupError } from '#local'
import { createLogger } from '#runtime'
import { createConsoleAccess } from '../../deploy/local/console-access.ts'
import { seedDemo } from '../../deploy/local/demo.ts'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { createStep } from '../../deploy/local/progress.ts'
import { machineFacts } from '../toolkit/machine-facts.ts'
import { formatTable } from '../toolkit/markdown-table.ts'
import { startLoadTestStack } from '../toolkit/stack/start.ts'
import { openMeter, type Reading } from './cost/meter.ts'

/**
 * `npm run bench:events`: how many events a second the stream records while a consumer reads them, and how late events are at a
 * consumer and at an endpoint of webhooks at a constant rate; with the CPU time of each service and server for an event.
 */
const usage = 'Usage: npm run bench:events [-- --events 100000] [--rate 500]'
const Options = z.object({
  events: z.coerce.number().pipe(z.int().min(1_000)).default(100_000),
  /** Events a second of the measurements of the delay. */
  rate: z.coerce.number().pipe(z.int().min(10)).default(500),
})

const Page = z.object({ events: z.array(z.object({ id: z.string() })), next_after: z.string() })
const siteName = { account: 'demo', site_id: 'events' } as const
const columns = ['api-gateway', 'events', 'postgres', 'nats']
const users = 1_000
/** Batches that are sent at the same time, as by several services. */
const concurrentBatches = 4
const rateSeconds = 20
const rateIntervalMs = 100

/** When each event was sent, by its ID. */
const sentAt = new Map<string, number>()

const interruption = listenForInterruption()
const step = createStep(interruption)
try {
  const { values } = parseArgs({ options: { events: { type: 'string' }, rate: { type: 'string' } } })
  const options = Options.parse(values)
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'events-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  await step('Programs', (note) =>
    ensurePrograms(['postgres', 'redis', 'nats'], { note, log: join(directory, 'install.log') }),
  )
  const serviceStack = stack.use(await startLoadTestStack(directory, { gateways: 1, step, interruption }))
  const { wiring, secrets } = serviceStack
  await seedDemo(wiring, secrets)
  const { console_token } = await createConsoleAccess(wiring)
  const meter = stack.use(openMeter(directory, serviceStack))
  const connect = async (name: string) =>
    stack.use(await connectBus(wiring.natsUrlOf(name), { name, logger: createLogger(name, 'silent') }))
  const events = createClient(await connect('identity'), eventsContract, new Registry())
  const identity = createClient(await connect('demo'), identityContract, new Registry())
  const { site } = await identity.registerSite({ ...siteName, name: 'Benchmark' }, newCall())
  const { api_key } = await identity.issueApiKey({ site, name: 'benchmark' }, newCall())
  const rows: string[][] = []

  await measure('stream', options.events, async () => {
    const after = await readNewestCursor()
    const startedAt = performance.now()
    await Promise.all([follow(after, options.events, () => {}), recordAll(events, site, options.events)])
    return `${Math.round(options.events / ((performance.now() - startedAt) / 1_000))} events/s recorded and read`
  })
  const count = options.rate * rateSeconds
  await measure(`consumer at ${options.rate}/s`, count, async () => {
    const delays: number[] = []
    const after = await readNewestCursor()
    const reading = follow(after, count, (id) => delays.push(delayOf(id)))
    await Promise.all([reading, recordAtRate(events, site, options.rate)])
    return describeDelays(delays)
  })
  await using receiver = await startReceiver()
  await createWebhook(receiver.url)
  await measure(`webhook at ${options.rate}/s`, count, async () => {
    await recordAtRate(events, site, options.rate)
    for (let waited = 0; receiver.delays.length < count && waited < 600; waited++) await delay(100)
    return describeDelays(receiver.delays)
  })
  process.stdout.write(
    `\n${machineFacts()}\n\n${formatTable(['', 'result', ...columns.map((name) => `${name}, µs`), 'all, µs'], rows)}\n\n`,
  )

  async function measure(title: string, counted: number, work: () => Promise<string>): Promise<void> {
    const before = await meter.read()
    const result = await step(title, work)
    rows.push([title, result, ...cpuPerEvent(before, await meter.read(), counted)])
  }

  async function readEvents(parameters: Readonly<Record<string, string>>) {
    const response = await fetch(`${wiring.addresses.web_api}/api/events?${new URLSearchParams(parameters)}`, {
      headers: { authorization: `Bearer ${api_key}` },
    })
    if (!response.ok) throw new Error(`The events were not read: ${await response.text()}`)
    return Page.parse(await response.json())
  }

  /** Read before the events are recorded, so that a reader misses none. */
  async function readNewestCursor(): Promise<string> {
    return (await readEvents({ after: 'newest' })).next_after
  }

  /** Reads the stream by the Web API until so many events have arrived. */
  async function follow(from: string, expected: number, onEvent: (id: string) => void): Promise<void> {
    let after = from
    for (let arrived = 0; arrived < expected; ) {
      const page = await readEvents({ after, limit: '1000', wait: '10' })
      for (const { id } of page.events) onEvent(id)
      arrived += page.events.length
      after = page.next_after
    }
  }

  async function createWebhook(url: string): Promise<void> {
    const path = `/admin/v1/accounts/${siteName.account}/sites/${siteName.site_id}/webhooks`
    const response = await fetch(`${wiring.addresses.console}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${console_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'benchmark', url }),
    })
    if (!response.ok) throw new Error(`The webhook was not created: ${await response.text()}`)
  }
} catch (error) {
  process.exitCode = 1
  if (error instanceof z.ZodError) console.error('%s\n%s', usage, z.prettifyError(error))
  else if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

/** CPU time of each column and of all, in µs for an event. */
function cpuPerEvent(before: Reading, after: Reading, events: number): string[] {
  const spent = columns.map((name) => (after.get(`cpu ${name}`) ?? 0) - (before.get(`cpu ${name}`) ?? 0))
  const all = spent.reduce((sum, seconds) => sum + seconds, 0)
  return [...spent, all].map((seconds) => Math.round((seconds * 1e6) / events).toString())
}

type EventsClient = BusClient<typeof eventsContract>

function createEvents(site: number, count: number): NewEvent[] {
  const time = new Date().toISOString()
  return Array.from({ length: count }, () => {
    const id = randomUUID()
    sentAt.set(id, performance.now())
    const identifier = `user-${Math.floor(Math.random() * users)}`
    const data = { provider: 'messaging', login_count: 1 }
    return { id, type: 'user.logged_in', time, site, user: { identifier, primary_key: null }, data }
  })
}

async function recordAll(events: EventsClient, site: number, count: number): Promise<void> {
  let left = count
  const send = async () => {
    while (left > 0) {
      const size = Math.min(left, limits.event_batch)
      left -= size
      await events.record({ events: createEvents(site, size) }, newCall())
    }
  }
  await Promise.all(Array.from({ length: concurrentBatches }, send))
}

async function recordAtRate(events: EventsClient, site: number, rate: number): Promise<void> {
  const size = (rate * rateIntervalMs) / 1_000
  const recordings: Promise<unknown>[] = []
  for (let sent = 0; sent < rate * rateSeconds; sent += size) {
    recordings.push(events.record({ events: createEvents(site, size) }, newCall()))
    await delay(rateIntervalMs)
  }
  await Promise.all(recordings)
}

/** Milliseconds since an event was sent. */
function delayOf(id: string): number {
  return performance.now() - (sentAt.get(id) ?? Number.NaN)
}

function describeDelays(delays: readonly number[]): string {
  const sorted = delays.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN)
  return `${sorted.length} events, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

/** An endpoint on this machine, which measures the delay of each event. */
async function startReceiver() {
  const delays: number[] = []
  const Event = z.object({ id: z.string() })
  const server = createServer(async (request, response) => {
    const { id } = Event.parse(await json(request))
    delays.push(delayOf(id))
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // A server that listens on TCP has a port.
  return {
    url: `http://127.0.0.1:${port}/`,
    delays,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
