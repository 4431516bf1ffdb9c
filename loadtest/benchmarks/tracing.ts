import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Registry } from 'prom-client'
import { z } from 'zod'
import { connectBus, createClient, newCall, serveContract } from '#bus'
import { defineContract } from '#contracts'
import { startNats } from '#local'
import { createLogger } from '#runtime'
import { openTelemetry } from '../../libs/runtime/open-telemetry.ts'
import { enableTracing, inSpan } from '../../libs/runtime/tracing.ts'
import { machineFacts } from '../toolkit/machine-facts.ts'

/**
 * `npm run bench:tracing`: compares in one run a request over the bus (both sides in this process, a span on each)
 * without tracing and with different sampling ratios, and a function wrapped in a span with the same function unwrapped
 * while tracing is off.
 */
const rounds = 8
const requestsPerRound = 1_000
/** Not counted: code that was optimized for the previous case is compiled again. */
const warmUpRequests = 1_000
const wrapsPerRound = 100_000
const spansPerRequest = 2

const print = (line: string) => process.stdout.write(`${line}\n`)

const echo = defineContract(
  'echo',
  { say: { input: z.object({ text: z.string() }), output: z.object({ text: z.string() }), faults: [] } },
  {},
)

/** Microseconds of this process's CPU time, which other work on the machine disturbs less than the clock. */
async function timed(times: number, work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage()
  for (let n = 0; n < times; n++) await work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / times
}

/** Receives and discards exported traces, in a separate process, whose CPU time is not counted. */
async function startForgetfulCollector(stack: AsyncDisposableStack): Promise<string> {
  const program = `require('node:http').createServer((q, r) => q.resume().on('end', () => r.end('{}')))
    .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  stack.defer(() => void child.kill())
  const [port] = await once(createInterface(child.stdout), 'line')
  return `http://127.0.0.1:${port}`
}

const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

await using stack = new AsyncDisposableStack()
const directory = await mkdtemp(join(tmpdir(), 'tracing-benchmark-'))
stack.defer(() => rm(directory, { recursive: true, force: true }))
const nats = stack.use(await startNats({ directory }))
const endpoint = await startForgetfulCollector(stack)
const parts = { logger: createLogger('benchmark', 'silent'), registry: new Registry() }
const [asking, answering] = [
  stack.use(await connectBus(nats.url, { name: 'asking', ...parts })),
  stack.use(await connectBus(nats.url, { name: 'answering', ...parts })),
]
stack.use(serveContract(answering, echo, { say: async ({ text }) => ({ text }) }, {}, parts))
const client = createClient(asking, echo, parts.registry)
const callRepeatedly = (times: number) => timed(times, () => client.say({ text: 'hello' }, newCall()))

/** Sampling ratios; undefined: no tracing. Twice, to show the variance of a run. */
const shares = { 'no tracing': undefined, 'no tracing, again': undefined, '0 %': 0, '5 %': 0.05, '100 %': 1 } as const
const described = { name: 'span', kind: 'internal' } as const
const work = async () => 1
const times = {
  questions: new Map<string, number[]>(Object.keys(shares).map((title) => [title, []])),
  bare: [] as number[],
  wrapped: [] as number[],
}
for (let round = -1; round < rounds; round++) {
  const taken: [string, number][] = []
  // Each goes first in turn.
  const order = Object.entries(shares)
  for (const place of order.keys()) {
    const [title, ratio] = order[(place + round + order.length) % order.length] ?? ['', undefined]
    const traced =
      ratio === undefined ? undefined : enableTracing(openTelemetry('benchmark', { endpoint, ratio, onLoss }))
    await callRepeatedly(warmUpRequests)
    taken.push([title, await callRepeatedly(requestsPerRound)])
    await traced?.[Symbol.asyncDispose]()
  }
  const bare = await timed(wrapsPerRound, work)
  const wrapped = await timed(wrapsPerRound, () => inSpan(described, work))
  if (round < 0) continue
  for (const [title, took] of taken) times.questions.get(title)?.push(took)
  times.bare.push(bare)
  times.wrapped.push(wrapped)
}

function onLoss(): void {
  throw new Error('The collector did not take what was exported.')
}

const off = median(times.questions.get('no tracing') ?? [])
print(machineFacts())
for (const [title, taken] of times.questions) {
  const took = median(taken)
  print(`A question over the bus, ${title}: ${took.toFixed(0)} µs (${(took / off).toFixed(3)} ×).`)
}
const cost = median(times.wrapped) - median(times.bare)
print(
  `A span while there is no tracing: ${(cost * 1_000).toFixed(0)} ns; the ${spansPerRequest} of a question ${((100 * spansPerRequest * cost) / off).toFixed(3)} % of it.`,
)
