import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Registry } from 'prom-client'
import { type BusClient, connectBus, createClient, newCall } from '#bus'
import { identityContract, type UserPosition } from '#contracts'
import { migrate, provisionDatabase } from '#database'
import { ensurePrograms, startNats } from '#local'
import { createLogger } from '#runtime'
import { migrations } from '../../services/identity/migrations/index.ts'
import { startReplicatedPostgres } from '../../testing/replicated-postgres.ts'
import { seedUsers } from '../seed/seed-users.ts'
import { machineFacts } from '../toolkit/machine-facts.ts'
import { formatTable } from '../toolkit/markdown-table.ts'
import { processorSecondsOf } from '../toolkit/processor-time.ts'
import { startServiceProcess } from '../toolkit/stack/service-process.ts'

/**
 * `npm run bench:replica`: CPU time of the primary and of a read replica for what identity reads for an export and for lists of the
 * console, with and without the replica, in turns.
 */
const users = 20_000
const rounds = 3
const idleMs = 10_000
const anyAgeMs = 3_600_000

type Identity = BusClient<typeof identityContract>
/** Undefined: the primary serves all reads. */
type MaxAge = number | undefined

interface Work {
  readonly title: string
  /** What the times are divided by. */
  readonly units: number
  readonly run: (identity: Identity, site: number, maxAgeMs: MaxAge) => Promise<void>
}

const lists = 200
const works: readonly Work[] = [
  {
    title: 'export, 1,000 users',
    units: users / 1_000,
    async run(identity, site, maxAgeMs) {
      const list = { site, limit: 100, conditions: {}, sort: 'created' as const, order: 'desc' as const }
      for (let after: UserPosition | null | undefined; after !== null; ) {
        const page = await identity.listMatchingUsers({ ...list, after }, newCall({ maxAgeMs }))
        await identity.readLinkedUsers({ site, identifiers: page.identifiers }, newCall({ maxAgeMs }))
        after = page.next
      }
    },
  },
  {
    title: 'list, 20 users, by number of logins',
    units: lists,
    async run(identity, site, maxAgeMs) {
      const list = { site, limit: 20, conditions: {}, sort: 'logins' as const, order: 'desc' as const }
      for (let count = 0; count < lists; count++) {
        const { identifiers } = await identity.listMatchingUsers(list, newCall({ maxAgeMs }))
        await identity.readLinkedUsers({ site, identifiers }, newCall({ maxAgeMs }))
      }
    },
  },
]

/** The CPU time of the primary and the replica, in milliseconds. */
async function measure(pids: readonly number[], work: () => Promise<void>): Promise<readonly number[]> {
  const before = processorSecondsOf(pids)
  await work()
  return processorSecondsOf(pids).map((seconds, index) => (seconds - (before[index] ?? 0)) * 1_000)
}

/** The first line of the file is the process. */
async function readPid(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ text: string }>(`select pg_read_file('postmaster.pid') as text`)
    return Number.parseInt(rows[0]?.text ?? '', 10)
  } finally {
    await client.end()
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Resolves when the replica serves reads. */
async function waitForReplica(identity: Identity, site: number): Promise<void> {
  for (;;) {
    const call = newCall({ maxAgeMs: anyAgeMs })
    await identity.readUsers({ site, identifiers: [] }, call)
    if ((call.staleness?.ageMs ?? 0) > 0) return
    await sleep(100)
  }
}

/** The processes of servers do not keep this one running. */
const keepAlive = setInterval(() => {}, 1_000)
const directory = await mkdtemp(join(tmpdir(), 'replica-benchmark-'))
try {
  await using stack = new AsyncDisposableStack()
  await ensurePrograms(['postgres', 'nats'], { note: () => {}, log: join(directory, 'install.log') })
  const servers = stack.use(await startReplicatedPostgres())
  const url = await provisionDatabase(servers.url, { name: 'identity', password: 'benchmark' })
  await migrate(url, migrations)
  const [site] = await seedUsers({ database_url: url, sites: 1, users, say: console.log })
  if (site === undefined) throw new Error('The seed returned no site.')
  await servers.whenReplayed()
  const nats = stack.use(await startNats({ directory }))
  stack.use(
    await startServiceProcess('identity', directory, {
      NATS_URL: nats.url,
      DATABASE_URL: url,
      DATABASE_REPLICA_URL: servers.atReplica(url),
    }),
  )
  const logger = createLogger('benchmark', 'silent')
  const bus = stack.use(await connectBus(nats.url, { name: 'replica-benchmark', logger }))
  const identity = createClient(bus, identityContract, new Registry())
  await waitForReplica(identity, site)
  const pids = [await readPid(servers.url), await readPid(servers.atReplica(servers.url))]

  const rows: string[][] = []
  for (const { title, units, run } of works) {
    const [without, withReplica]: [number[][], number[][]] = [[], []]
    const measureOnce = async (maxAgeMs: MaxAge) =>
      (await measure(pids, () => run(identity, site, maxAgeMs))).map((ms) => ms / units)
    await measureOnce(undefined)
    await measureOnce(anyAgeMs)
    for (let round = 0; round < rounds; round++) {
      without.push([...(await measureOnce(undefined))])
      withReplica.push([...(await measureOnce(anyAgeMs))])
    }
    for (const [name, results] of [
      ['primary only', without],
      ['with replica', withReplica],
    ] as const)
      rows.push([
        `${title}, ${name}`,
        ...[0, 1].map((server) => median(results.map((one) => one[server] ?? 0)).toFixed(2)),
      ])
  }
  const idle = await measure(pids, () => sleep(idleMs))
  rows.push(['a second without requests', ...idle.map((ms) => ((ms * 1_000) / idleMs).toFixed(2))])
  console.log(`\n${machineFacts()}\n`)
  console.log(formatTable(['CPU time, ms', 'primary', 'replica'], rows))
} finally {
  clearInterval(keepAlive)
  await rm(directory, { recursive: true, force: true })
}
