import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type Handlers, newCall } from '#bus'
import { defineContract } from '#contracts'
import {
  type Database,
  defineStatement,
  type Migration,
  migrate,
  openDatabase,
  openReadReplicas,
  provisionDatabase,
  type Reader,
  serveStaleReads,
} from '#database'
import { findPrograms, requireProgram, startPgBouncer, supportsPreparedStatements } from '#local'
import { createLogger } from '#runtime'
import { type FaultProxy, type ReplicatedPostgres, startFaultProxy, startReplicatedPostgres } from '#testing'

const logger = createLogger('test', 'silent')
const hasPooler = (await findPrograms('pgbouncer')).length > 0
const poolerTest = test.skipIf(!hasPooler)
const insertNote = defineStatement('insert into notes (note) values ($1)')
const selectNotes = defineStatement<{ note: string }>('select note from notes order by note')
const notesMigration: Migration = {
  name: '0001-notes',
  up: (knex) => knex.schema.createTable('notes', (table) => table.text('note')),
}
const readNotes = { input: z.object({}), output: z.object({ notes: z.array(z.string()) }), faults: [] } as const
const contract = defineContract('notes', {
  list: { ...readNotes, mayBeStale: true },
  listCurrent: readNotes,
  listSlowly: { ...readNotes, mayBeStale: true },
  write: { ...readNotes, mayBeStale: true },
})

interface Deps {
  readonly knex: Knex
  readonly reader: Reader
}

const pause = 'pg_sleep(1.5)'

const list = async (_: unknown, { reader, knex }: Deps) => {
  const { rows } = await selectNotes(reader, [])
  await knex.transaction((trx) => selectNotes(trx, []), { readOnly: true, isolationLevel: 'repeatable read' })
  return { notes: rows.map(({ note }) => note) }
}
const notesHandlers: Handlers<typeof contract, Deps> = {
  list,
  listCurrent: list,
  async listSlowly(_, { knex }) {
    const { rows } = await knex.raw<{ rows: { note: string }[] }>(`select note, ${pause} from notes limit 1`)
    return { notes: rows.map(({ note }) => note) }
  },
  async write(_, { reader }) {
    await insertNote(reader, ['by a procedure that only reads'])
    return { notes: [] }
  },
}

const stack = new AsyncDisposableStack()
let servers: ReplicatedPostgres
let database: Database
let proxy: FaultProxy
let [url, replicaUrl] = ['', '']

beforeAll(async () => {
  servers = stack.use(await startReplicatedPostgres())
  url = await provisionDatabase(servers.url, { name: 'notes', password: 'p' })
  await migrate(url, [notesMigration])
  proxy = stack.use(await startFaultProxy(servers.atReplica(url)))
  replicaUrl = proxy.url
  database = stack.use(await openDatabase({ DATABASE_URL: url }, { name: 'test', logger }))
})
afterAll(() => stack.disposeAsync())
beforeEach(() => database.knex.raw('truncate notes'))

/** Handlers that read from the replica, and what they counted. */
async function openHandlers(replica: string, { seconds = 3_600, isPrepared = true } = {}) {
  const registry = new Registry()
  const settings = {
    DATABASE_URL: url,
    DATABASE_REPLICA_URL: replica,
    DATABASE_REPLICA_MAX_AGE_SECONDS: seconds,
    DATABASE_PREPARED_STATEMENTS: isPrepared,
  }
  const replicas = openReadReplicas(settings, database, { name: 'test', logger, registry })
  const handlers = serveStaleReads(contract, notesHandlers, replicas)
  const read = async (maxAgeMs = Number.MAX_SAFE_INTEGER) => {
    const call = newCall({ maxAgeMs })
    const { notes } = await handlers.list({}, database, call)
    return { notes, ageMs: call.staleness?.ageMs ?? 0 }
  }
  const readOutcome = async () => {
    const before = await countReads(registry)
    await read()
    const after = await countReads(registry)
    return [...after].find(([outcome, count]) => count > (before.get(outcome) ?? 0))?.[0]
  }
  const countOutcomes = async () => [...(await countReads(registry))]
  return {
    handlers,
    read,
    readOutcome,
    countReads: countOutcomes,
    [Symbol.asyncDispose]: async () => replicas?.[Symbol.asyncDispose](),
  }
}

async function countReads(registry: Registry): Promise<Map<unknown, number>> {
  const metric = await registry.getSingleMetric('sociallogin_stale_reads_total')?.get()
  return new Map(metric?.values.map(({ labels, value }) => [labels.outcome, value]))
}

const write = (note: string) => insertNote(database.reader, [note])

test('a read that may be stale sees the replica, others see the primary, and its age is an upper bound', async () => {
  await using opened = await openHandlers(replicaUrl)
  await write('before')
  await servers.whenReplayed()
  await expect.poll(opened.readOutcome).toBe('replica')
  await servers.pauseReplay()
  await write('while paused')
  const writtenAt = performance.now()
  const stale = await opened.read()
  expect(stale.notes).toEqual(['before'])
  expect(stale.ageMs).toBeGreaterThan(0)
  const current = ['before', 'while paused']
  // What the caller wrote is not missing: the replica was asked before.
  expect((await opened.read(performance.now() - writtenAt)).notes).toEqual(current)
  expect((await opened.handlers.list({}, database, newCall())).notes).toEqual(current)
  expect((await opened.handlers.listCurrent({}, database, newCall({ maxAgeMs: 60_000 }))).notes).toEqual(current)
  await servers.resumeReplay()
  await expect.poll(async () => (await opened.read()).notes).toEqual(current)
})

test('an idle primary makes a replica no older, and paused replay does', async () => {
  await using opened = await openHandlers(replicaUrl, { seconds: 2 })
  await servers.whenReplayed()
  await expect.poll(opened.readOutcome).toBe('replica')
  await servers.pauseReplay()
  await write('that makes it old')
  await expect.poll(opened.readOutcome).toBe('lagging')
  expect((await opened.read()).notes).toContain('that makes it old')
  await servers.resumeReplay()
  await expect.poll(opened.readOutcome).toBe('replica')
  expect((await opened.read()).notes).toContain('that makes it old')
})

test('reads go to the primary while replicas refuse, are silent or are killed, and none fails', async () => {
  await using opened = await openHandlers(replicaUrl)
  await expect.poll(opened.readOutcome).toBe('replica')
  for (const mode of ['refuse', 'black-hole'] as const) {
    proxy.setMode(mode)
    if (mode === 'refuse') proxy.cut()
    await expect.poll(opened.readOutcome).toBe('unavailable')
    proxy.setMode('forward')
    proxy.cut()
    await expect.poll(opened.readOutcome).toBe('replica')
  }
  await servers.replica.kill()
  await expect.poll(opened.readOutcome).toBe('unavailable')
  await servers.replica.start()
  await expect.poll(opened.readOutcome).toBe('replica')
})

poolerTest(
  'a pooler in front of a replica serves its reads, and those go to the primary while it is down',
  async () => {
    const { username, password, pathname } = new URL(url)
    const startPooler = async (directory: string, port?: number) =>
      startPgBouncer({
        directory,
        postgresUrl: servers.atReplica(url),
        roles: new Map([[username, password]]),
        // Fewer than the replica's connections of a process, so that they share them.
        poolSize: 2,
        ...(port !== undefined && { port }),
      })
    const directory = await mkdtemp(join(inject('directory'), 'pooled-replica-'))
    await using opening = new AsyncDisposableStack()
    const pooler = await startPooler(directory)
    opening.defer(() => pooler.stop())
    const { host, port } = new URL(pooler.url)
    const pooled = `postgres://${username}:${password}@${host}${pathname}`
    const isPrepared = supportsPreparedStatements(await requireProgram('pgbouncer'))
    const opened = opening.use(await openHandlers(pooled, { isPrepared }))
    await expect.poll(opened.readOutcome).toBe('replica')
    await write('seen through the pooler')
    await servers.whenReplayed()
    await expect.poll(async () => (await opened.read()).notes).toContain('seen through the pooler')
    const reads = await Promise.all(Array.from({ length: 40 }, () => opened.read()))
    expect(new Set(reads.map(({ notes }) => notes.join()))).toHaveLength(1)
    await pooler.stop()
    await expect.poll(opened.readOutcome).toBe('unavailable')
    expect((await opened.read()).notes).toContain('seen through the pooler')
    const restarted = await startPooler(directory, Number(port))
    opening.defer(() => restarted.stop())
    await expect.poll(opened.readOutcome).toBe('replica')
  },
)

test('a statement that the replica cancels for changes runs at the primary', async () => {
  await using opened = await openHandlers(replicaUrl)
  // The statement pauses at a row.
  await write('read slowly')
  await servers.whenReplayed()
  await expect.poll(opened.readOutcome).toBe('replica')
  const reading = opened.handlers.listSlowly({}, database, newCall({ maxAgeMs: 3_600_000 }))
  await servers.whenRunning(pause)
  // The replica cannot replay it while a statement reads the table.
  await database.knex.raw('truncate notes')
  expect(await reading).toEqual({ notes: [] })
  expect(await opened.countReads()).toContainEqual(['canceled', 1])
})

test('a procedure that may be stale and writes is a defect', async () => {
  await using opened = await openHandlers(replicaUrl)
  await expect.poll(opened.readOutcome).toBe('replica')
  await expect(opened.handlers.write({}, database, newCall({ maxAgeMs: 60_000 }))).rejects.toThrow('has written')
})

test('neither another cluster nor the primary itself is a replica; of several servers, one that follows is used', async () => {
  await using other = await startReplicatedPostgres()
  const foreign = other.atReplica(await provisionDatabase(other.url, { name: 'notes', password: 'p' }))
  await other.whenReplayed()
  await using withForeign = await openHandlers(foreign)
  await expect.poll(withForeign.readOutcome).toBe('foreign')
  await using withPrimary = await openHandlers(url)
  await expect.poll(withPrimary.readOutcome).toBe('promoted')
  const hosts = [foreign, replicaUrl].map((server) => new URL(server).host)
  await using withBoth = await openHandlers(`postgres://notes:p@${hosts.join(',')}/notes`)
  await expect.poll(withBoth.readOutcome).toBe('replica')
})

test('a replica that became a primary is not used', async () => {
  await using opened = await openHandlers(replicaUrl)
  await expect.poll(opened.readOutcome).toBe('replica')
  await servers.promote()
  await expect.poll(opened.readOutcome).toBe('promoted')
  expect((await opened.read()).ageMs).toBe(0)
  await servers.rejoin()
  await expect.poll(opened.readOutcome).toBe('replica')
})
