import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  defineStatement,
  enqueueJob,
  jobsMigration,
  migrate,
  openDatabase,
  provisionDatabase,
  startJobWorker,
  transaction,
} from '#database'
import { createLogger } from '#runtime'
import { type FaultProxy, startFaultProxy } from '#testing'

const logger = createLogger('test', 'silent')
const selectOne = defineStatement('select 1')
const selectSlowly = defineStatement('select pg_sleep(0.05)')
const stack = new AsyncDisposableStack()
let url: string
let proxy: FaultProxy

beforeAll(async () => {
  url = await provisionDatabase(inject('postgres_url'), { name: `faults_${process.pid}`, password: 'p' })
  await migrate(url, [
    jobsMigration,
    { name: '0001-notes', up: (knex) => knex.schema.createTable('notes', (table) => table.text('note')) },
  ])
  proxy = stack.use(await startFaultProxy(url))
})
afterAll(() => stack.disposeAsync())

test('a database whose server does not answer the first connection in time is opened all the same', async () => {
  const before = proxy.countAccepted()
  proxy.setMode('black-hole')
  const opening = openDatabase({ DATABASE_URL: proxy.url }, { name: 'test', logger, registry: new Registry() })
  await expect.poll(() => proxy.countAccepted() - before).toBeGreaterThan(1)
  proxy.setMode('forward')
  await using database = await opening
  expect(database.usable()).toBe(true)
})

test('a pool recovers after all of its connections went silent', async () => {
  await using database = await openDatabase(
    { DATABASE_URL: proxy.url },
    { name: 'test', logger, registry: new Registry(), pool_size: 3 },
  )
  const { knex } = database
  const threeAtOnce = () => Promise.allSettled([1, 2, 3].map((id) => knex.raw('select ?::int, pg_sleep(0.05)', [id])))
  await threeAtOnce()
  proxy.setMode('black-hole')
  const silent = await threeAtOnce()
  expect(silent.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await expect.poll(database.usable).toBe(false)
  proxy.setMode('forward')
  await expect.poll(database.usable).toBe(true)
  const after = await threeAtOnce()
  expect(after.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
})

test('a database stays usable if its connections went silent and new ones work', async () => {
  const lines: string[] = []
  const log = createLogger('test', 'warn', { write: (line) => void lines.push(line) })
  await using database = await openDatabase({ DATABASE_URL: proxy.url }, { name: 'test', logger: log, pool_size: 3 })
  const { knex } = database
  const threeAtOnce = () => Promise.allSettled([1, 2, 3].map((id) => knex.raw('select ?::int, pg_sleep(0.05)', [id])))
  await threeAtOnce()
  proxy.setMode('black-hole')
  proxy.setMode('forward')
  const silent = await threeAtOnce()
  expect(silent.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  // By now, a check that had to wait for one of the connections has failed.
  await knex.raw('select pg_sleep(3)')
  expect(lines.filter((line) => line.includes('Postgres is unavailable'))).toEqual([])
  expect(database.usable()).toBe(true)
})

test('once the check found its connection silent, no other that went silent with it is used', async () => {
  const lines: string[] = []
  const log = createLogger('test', 'warn', { write: (line) => void lines.push(line) })
  await using database = await openDatabase({ DATABASE_URL: proxy.url }, { name: 'test', logger: log, pool_size: 3 })
  const { knex, reader, usable } = database
  const threeAtOnce = (run: () => Promise<unknown>) => Promise.allSettled([run(), run(), run()])
  const writeAndLookUp = () =>
    Promise.all([threeAtOnce(() => knex.raw('select pg_sleep(0.05)')), threeAtOnce(() => selectSlowly(reader, []))])
  await writeAndLookUp()
  const acceptedBefore = proxy.countAccepted()
  // By the connection of the check.
  await expect.poll(proxy.countAccepted).toBeGreaterThan(acceptedBefore)
  proxy.setMode('black-hole')
  proxy.setMode('forward')
  const during = Promise.allSettled([selectSlowly(reader, [])])
  const countReplacements = () => lines.filter((line) => line.includes('idle connections are closed')).length
  await expect.poll(countReplacements).toBe(1)
  const after = await writeAndLookUp()
  expect(after.flat().map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'fulfilled'))
  expect(usable()).toBe(true)
  expect(await during).toMatchObject([{ status: 'rejected' }])
})

test('a database that is usable again uses no connection that was idle, or being opened, during the outage', async () => {
  await using database = await openDatabase({ DATABASE_URL: proxy.url }, { name: 'test', logger, pool_size: 3 })
  const { knex, reader, usable } = database
  const threeAtOnce = (run: () => Promise<unknown>) => Promise.allSettled([run(), run(), run()])
  const write = () => knex.raw('select pg_sleep(0.05)')
  const lookUp = () => selectOne(reader, [])
  await threeAtOnce(write)
  await lookUp()
  proxy.setMode('black-hole')
  await expect.poll(usable).toBe(false)
  const acceptedBefore = proxy.countAccepted()
  const during = lookUp()
  await expect.poll(proxy.countAccepted).toBeGreaterThan(acceptedBefore)
  proxy.setMode('forward')
  await expect.poll(usable, { interval: 10 }).toBe(true)
  const after = await Promise.all([threeAtOnce(lookUp), threeAtOnce(write)])
  expect(after.flat().map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'fulfilled'))
  await during
})

test('a database that is usable again does not wait for connections that its pool was opening during the outage', async () => {
  await using database = await openDatabase({ DATABASE_URL: proxy.url }, { name: 'test', logger, pool_size: 3 })
  const { knex, usable } = database
  const threeAtOnce = () => Promise.allSettled([1, 2, 3].map(() => knex.raw('select pg_sleep(0.05)')))
  proxy.setMode('black-hole')
  await expect.poll(usable).toBe(false)
  // The next check begins within its interval, and before the connections below would fail by themselves.
  await whenCheckPauses()
  const acceptedBefore = proxy.countAccepted()
  const during = threeAtOnce()
  // One of them uses the connection that the pool had before.
  await expect.poll(proxy.countAccepted, { interval: 5 }).toBe(acceptedBefore + 2)
  proxy.setMode('forward')
  await expect.poll(usable, { interval: 10 }).toBe(true)
  const after = await threeAtOnce()
  expect(after.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  await during
})

/** Resolves when the proxy was not called for longer than an attempt of the check lasts, as between two failed checks. */
async function whenCheckPauses(): Promise<void> {
  let [accepted, changedAt] = [-1, 0]
  const quietMs = () => {
    if (proxy.countAccepted() !== accepted) [accepted, changedAt] = [proxy.countAccepted(), performance.now()]
    return performance.now() - changedAt
  }
  await expect.poll(quietMs, { interval: 20 }).toBeGreaterThan(3_200)
}

test('the job worker recovers, and stops, after its connections went silent', async () => {
  await using database = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger })
  const { knex } = database
  await using proxied = await openDatabase({ DATABASE_URL: proxy.url }, { name: 'test', logger })
  const done: unknown[] = []
  await using _worker = startJobWorker(
    { note: async (payload) => void done.push(payload) },
    { logger, registry: new Registry(), knex: proxied.knex },
  )
  const enqueue = (note: string) =>
    transaction(knex, (trx) => enqueueJob(trx, { task: 'note', payload: { note }, key: note, immediate: true }))
  await enqueue('before')
  await expect.poll(() => done).toEqual([{ note: 'before' }])
  proxy.setMode('black-hole')
  await enqueue('after')
  proxy.setMode('forward')
  await expect.poll(() => done).toEqual([{ note: 'before' }, { note: 'after' }])
})

test('a connection of a server that became read-only is replaced', async () => {
  await using database = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger, pool_size: 1 })
  const { knex } = database
  // What a connection sees after its primary was demoted.
  await knex.raw('set session characteristics as transaction read only')
  await expect(transaction(knex, (trx) => trx('notes').insert({ note: 'lost' }))).rejects.toMatchObject({
    code: '25006',
  })
  await transaction(knex, (trx) => trx('notes').insert({ note: 'written' }))
  expect(await knex('notes').pluck('note')).toEqual(['written'])
})

test('a database whose disk is full is not usable, until writes no longer fail', async () => {
  await using database = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger })
  const { knex, usable } = database
  await expect(knex.raw(`do $$ begin raise exception 'full' using errcode = '53100'; end $$`)).rejects.toMatchObject({
    code: '53100',
  })
  await expect.poll(usable).toBe(false)
  await expect.poll(usable).toBe(true)
})
