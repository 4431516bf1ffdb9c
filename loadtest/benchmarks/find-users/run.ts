import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { z } from 'zod'
import { connectBus, createClient, newCall } from '#bus'
import { profileContract } from '#contracts'
import { provisionDatabase } from '#database'
import { startNats, startPostgres } from '#local'
import { createLogger } from '#runtime'
import { count } from '../../seed/progress.ts'
import { machineFacts } from '../../toolkit/machine-facts.ts'
import { formatTable } from '../../toolkit/markdown-table.ts'
import { startServiceProcess } from '../../toolkit/stack/service-process.ts'
import { type MeasuredKind, measureSearches } from './measure.ts'
import { encryptionKeys, seedUsersToFind, site } from './seed.ts'

const usage = `Usage: node loadtest/benchmarks/find-users/run.ts [--users 100000] [--searches 3000] [--per-second 100] [--postgres-url postgres://…]
Without a superuser's URL a Postgres is started, and removed in the end. On a server of yours the database find_users_benchmark
is made, and used again by the next run for as many users.`

const Options = z.object({
  users: z.coerce.number().pipe(z.int().min(1_000)).default(100_000),
  searches: z.coerce.number().pipe(z.int().min(100)).default(3_000),
  'per-second': z.coerce.number().positive().default(100),
  'postgres-url': z.url().optional(),
})

/** The largest p95 of all searches together, in ms. */
const allowedP95 = 50
/** Before the measurement, so that it does not measure the start of the service. */
const warmUpSearches = 500

const print = (line: string) => process.stdout.write(`${line}\n`)

async function run(options: z.output<typeof Options>): Promise<boolean> {
  const { users, searches, 'per-second': searchesPerSecond } = options
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'find-users-benchmark-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const postgres = () => startPostgres({ directory: join(directory, 'postgres'), durable: false })
  const server = options['postgres-url'] ?? stack.use(await postgres()).url
  const password = randomBytes(24).toString('base64url')
  const databaseUrl = await provisionDatabase(server, { name: 'find_users_benchmark', password })
  await seedUsersToFind({ database_url: databaseUrl, users, print })

  const nats = stack.use(await startNats({ directory: join(directory, 'nats') }))
  const environment = { NATS_URL: nats.url, DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: encryptionKeys }
  stack.use(await startServiceProcess('profile', directory, environment))
  const bus = stack.use(await connectBus(nats.url, { name: 'benchmark', logger: createLogger('benchmark', 'silent') }))
  const profile = createClient(bus, profileContract, new Registry())
  const find = (q: string) => profile.findUsers({ site, q }, newCall())

  print(`Searching ${searchesPerSecond} times per second …`)
  await measureSearches({ users, searches: warmUpSearches, searchesPerSecond, find })
  const measured = await measureSearches({ users, searches, searchesPerSecond, find })
  const all = { title: 'all', times: measured.flatMap(({ times }) => times), users: sum(measured) }
  print(`\n${count(users)} users, ${count(searches)} searches, ${searchesPerSecond} per second at random moments`)
  print(`${machineFacts()}\n`)
  print(
    formatTable(
      ['Search by', 'searches', 'users in a result', 'p50, ms', 'p95, ms', 'p99, ms'],
      [...measured, all].map(toRow),
    ),
  )
  const p95 = quantile(all.times, 0.95)
  print(`\np95 of all: ${p95.toFixed(1)} ms (allowed: ${allowedP95}).`)
  return p95 <= allowedP95
}

function sum(measured: readonly MeasuredKind[]): number {
  return measured.reduce((total, { users }) => total + users, 0)
}

function toRow({ title, times, users }: MeasuredKind): string[] {
  const quantiles = [0.5, 0.95, 0.99].map((share) => quantile(times, share).toFixed(1))
  return [title, count(times.length), (users / times.length).toFixed(1), ...quantiles]
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN
}

try {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { users: text, searches: text, 'per-second': text, 'postgres-url': text } })
  if (!(await run(Options.parse(values)))) process.exitCode = 1
} catch (error) {
  if (error instanceof z.ZodError) process.stderr.write(`${usage}\n${z.prettifyError(error)}\n`)
  else process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
}
