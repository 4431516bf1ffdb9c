import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { beforeAll, expect, inject, test } from 'vitest'
import { enqueueJob, openDatabase, retryJobs, startJobWorker, transaction } from '#database'
import { createLogger } from '#runtime'
import { cloneDatabase } from '../../../testing/databases.ts'

const logger = createLogger('test', 'silent')
let url: string

beforeAll(async () => {
  // Its table of jobs is one that Citus manages.
  url = await cloneDatabase(inject('postgres_url'), 'profile')
})

test('a job whose worker was killed runs again, and the lock of a living worker is kept', async () => {
  await using database = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger })
  const { knex } = database
  const enqueue = (key: string) =>
    transaction(knex, (trx) => enqueueJob(trx, { task: 'hang', payload: { key }, key, immediate: true }))
  await enqueue('killed')
  const killed = startHangingWorker(url)
  await once(killed, 'message')
  killed.kill('SIGKILL')
  await once(killed, 'exit')

  const runs: unknown[] = []
  const finish = Promise.withResolvers<void>()
  const options = { logger, registry: new Registry(), knex, leaseSeconds: 1 }
  const hang = async (payload: unknown) => {
    runs.push(payload)
    await finish.promise
  }
  await using _first = startJobWorker({ hang }, options)
  await using _second = startJobWorker({ hang }, { ...options, registry: new Registry() })
  await expect.poll(() => runs).toEqual([{ key: 'killed' }])
  // Several leases later the job still belongs to the worker that runs it.
  const leasedUntil = () => knex('jobs').pluck('leased_until')
  const [before] = await leasedUntil()
  await expect.poll(async () => Number((await leasedUntil())[0]) - Number(before)).toBeGreaterThan(2_000)
  expect(runs).toHaveLength(1)
  finish.resolve()
})

test('a job that ends its workers again and again runs after growing pauses, and delays no other', async () => {
  await using database = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger })
  const { knex } = database
  const done: unknown[] = []
  const task = async (payload: unknown) => void done.push(payload)
  await knex.transaction(async (trx) => {
    for (const key of ['ended five workers', 'ended many workers', 'other'])
      await enqueueJob(trx, { task: 'note', key, payload: { key }, immediate: true })
  })
  const lease = (key: string, crashes: number, secondsAgo: number) =>
    knex('jobs')
      .where({ key })
      .update({ crashes, leased_until: knex.raw('now() - make_interval(secs => ?)', [secondsAgo]) })
  await lease('ended five workers', 5, 32)
  await lease('ended many workers', 1_000, 240)
  await using _worker = startJobWorker({ note: task }, { logger, registry: new Registry(), knex })
  await expect.poll(() => knex('jobs').pluck('key')).toEqual(['ended many workers'])
  expect(done).toEqual(expect.arrayContaining([{ key: 'ended five workers' }, { key: 'other' }]))
  await lease('ended many workers', 1_000, 301)
  await expect.poll(() => done).toHaveLength(3)
})

test('failed jobs are retried at least every five minutes, and immediately when their recipient is available again', async () => {
  await using database = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger })
  const { knex } = database
  await transaction(knex, (trx) => enqueueJob(trx, { task: 'send', payload: {}, key: 'send', immediate: true }))
  let available = false
  let attempts = 0
  const send = async () => {
    attempts++
    if (!available) throw new Error('unavailable')
  }
  const job = () => knex('jobs').where({ key: 'send' })
  await using _worker = startJobWorker({ send }, { logger, registry: new Registry(), knex, leaseSeconds: 1 })
  // The first attempt is over when its failure is stored.
  await expect.poll(async () => (await job().whereNull('leased_until')).map((row) => row.attempts)).toEqual([1])
  const pause = async () => {
    const [{ run_at } = { run_at: 0 }] = await job()
    return Number(run_at) - Date.now()
  }
  await job().update({ attempts: 100, run_at: knex.fn.now() })
  await expect.poll(pause).toBeGreaterThan(200_000)
  expect(await pause()).toBeLessThanOrEqual(300_000)
  available = true
  await retryJobs(knex, ['other'])
  expect(await pause()).toBeGreaterThan(200_000)
  await retryJobs(knex, ['send'])
  await expect.poll(async () => (await job()).length).toBe(0)
  expect(attempts).toBe(3)
})

test('a renewal that waited for the end of a failed job does not lease it again', async () => {
  await using database = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger })
  const { knex } = database
  await transaction(knex, (trx) => enqueueJob(trx, { task: 'fail', payload: {}, key: 'fail', immediate: true }))
  const job = () => knex('jobs').where({ key: 'fail' })
  const failure = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const fail = () => {
    started.resolve()
    return failure.promise
  }
  let task = fail
  await using _worker = startJobWorker(
    { fail: () => task() },
    { logger, registry: new Registry(), knex, leaseSeconds: 1 },
  )
  await started.promise
  const waiting = async () => {
    const { rows } = await knex.raw<{ rows: { query: string }[] }>(
      `select query from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' order by query_start`,
    )
    return rows.map(({ query }) => (query.includes('crashes = 0') ? 'end' : 'renewal')).join(', ')
  }
  await knex.transaction(async (trx) => {
    await trx('jobs').where({ key: 'fail' }).update({ attempts: 100 })
    failure.reject(new Error('unavailable'))
    await expect.poll(waiting).toMatch(/end, renewal/)
  })
  await expect.poll(async () => Number((await job().first('run_at')).run_at)).toBeGreaterThan(Date.now() + 200_000)
  await expect.poll(waiting).toBe('')
  task = async () => {}
  await retryJobs(knex, ['fail'])
  await expect.poll(async () => await job()).toEqual([])
})

/** A process that runs jobs of the task `hang`, which never end, and sends a message when it started one. */
function startHangingWorker(databaseUrl: string): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'hanging-worker.ts'), databaseUrl], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}
