import type { Knex } from 'knex'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  defineStatement,
  enqueueJob,
  isSchemaCurrent,
  jobsMigration,
  type Migration,
  migrate,
  openDatabase,
  provisionDatabase,
  removeJob,
  startJobWorker,
  transaction,
  translateConstraintErrors,
} from '#database'
import { createLogger } from '#runtime'

const logger = createLogger('test', 'silent')
const first: Migration = {
  name: '0001-things',
  up: (knex) =>
    knex.schema.createTable('things', (table) => {
      table.integer('id').primary({ constraintName: 'things_id' })
      table.integer('amount').notNullable().defaultTo(0)
    }),
}
const second: Migration = {
  name: '0002-things-have-names',
  up: (knex) => knex.schema.alterTable('things', (table) => table.text('name')),
}

const stack = new AsyncDisposableStack()
let url: string
let knex: Knex

beforeAll(async () => {
  url = await provisionDatabase(inject('postgres_url'), { name: `rooms_${process.pid}`, password: 'p' })
  await migrate(url, [jobsMigration, first])
  knex = stack.use(await openDatabase({ DATABASE_URL: url }, { name: 'test', logger })).knex
})
afterAll(() => stack.disposeAsync())

/** A database with the first migration, for a test that applies further ones. */
async function openMigrated(name: string) {
  const ownUrl = await provisionDatabase(inject('postgres_url'), { name: `${name}_${process.pid}`, password: 'p' })
  await migrate(ownUrl, [jobsMigration, first])
  return { url: ownUrl, ...(await openDatabase({ DATABASE_URL: ownUrl }, { name: 'test', logger })) }
}

test('five concurrent runs apply each migration once; a schema with missing migrations is not current, one with more is', async () => {
  await using migrated = await openMigrated('runs')
  const { knex, url } = migrated
  expect(await isSchemaCurrent(knex, [first, second])).toBe(false)
  const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(url, [jobsMigration, first, second])))
  expect(runs.flatMap(({ applied }) => applied)).toEqual(['0002-things-have-names'])
  expect(await isSchemaCurrent(knex, [first, second])).toBe(true)
  expect(await isSchemaCurrent(knex, [first])).toBe(true)
})

test('a migration does not wait long for a table lock, so that other statements do not queue behind it', async () => {
  const third: Migration = {
    name: '0003-things-have-colours',
    up: (knex) => knex.schema.alterTable('things', (table) => table.text('colour')),
  }
  await using migrated = await openMigrated('locks')
  await migrated.knex.transaction(async (backup) => {
    await backup.raw('lock table things in access share mode')
    await expect(migrate(migrated.url, [jobsMigration, first, third])).rejects.toMatchObject({ code: '55P03' })
  })
  expect(await migrate(migrated.url, [jobsMigration, first, third])).toEqual({ applied: ['0003-things-have-colours'] })
})

test('provisioning is idempotent, and the role may not open other databases', async () => {
  expect(await provisionDatabase(inject('postgres_url'), { name: `rooms_${process.pid}`, password: 'p' })).toBe(url)
  const other = await provisionDatabase(inject('postgres_url'), { name: `others_${process.pid}`, password: 'p' })
  const foreign = new URL(other)
  foreign.username = `rooms_${process.pid}`
  await expect(openDatabase({ DATABASE_URL: foreign.href }, { name: 'test', logger })).rejects.toMatchObject({
    cause: { code: '42501' },
  })
})

test('a violated constraint becomes its fault; other errors are rethrown', async () => {
  await knex('things').insert({ id: 1 })
  const again = () => knex('things').insert({ id: 1 })
  await expect(translateConstraintErrors(again(), { things_id: 'duplicated_primary_key' })).rejects.toMatchObject({
    fault: 'duplicated_primary_key',
  })
  await expect(translateConstraintErrors(again(), {})).rejects.toMatchObject({ code: '23505' })
})

test('transactions that lock rows in opposite orders both succeed', async () => {
  await knex('things').insert([{ id: 10 }, { id: 11 }])
  const bothHoldOne = Promise.withResolvers<void>()
  let holding = 0
  const swap = (order: [number, number]) =>
    transaction(knex, async (trx) => {
      await trx('things').where({ id: order[0] }).increment('amount')
      if (++holding === 2) bothHoldOne.resolve()
      await bothHoldOne.promise
      await trx('things').where({ id: order[1] }).increment('amount')
    })
  await Promise.all([swap([10, 11]), swap([11, 10])])
  expect(await knex('things').whereIn('id', [10, 11]).pluck('amount')).toEqual([2, 2])
})

test('look-ups get their own results, and an error is only that of its own look-up', async () => {
  await using database = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger })
  const divide = defineStatement<{ quotient: number }>('select $1::integer / $2::integer as quotient')
  const numbers = Array.from({ length: 50 }, (_, n) => n)
  const quotients = await Promise.allSettled(numbers.map((n) => divide(database.reader, [100, n])))
  expect(quotients[0]).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
  for (const n of numbers.slice(1))
    expect(quotients[n]).toMatchObject({ status: 'fulfilled', value: { rows: [{ quotient: Math.trunc(100 / n) }] } })
})

test('a defined statement runs in its transaction', async () => {
  const insert = defineStatement('insert into things (id, amount) values ($1, 7)')
  await expect(
    transaction(knex, async (trx) => {
      expect(await insert(trx, [70])).toMatchObject({ rowCount: 1 })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await transaction(knex, (trx) => insert(trx, [71]))
  expect(await knex('things').whereIn('id', [70, 71]).pluck('id')).toEqual([71])
})

test('a defined statement that is late for its transaction is not run', async () => {
  const insert = defineStatement('insert into things (id, amount) values ($1, 7)')
  const ended = await transaction(knex, async (trx) => trx)
  await expect(insert(ended, [72])).rejects.toThrow('The transaction of the statement has ended.')
  expect(await knex('things').where({ id: 72 })).toEqual([])
})

test('a job is rolled back with its transaction, retried after a failure, and not run after it was removed', async () => {
  const done: unknown[] = []
  const finished = Promise.withResolvers<void>()
  let attempts = 0
  const enqueue = (payload: { name: string }) =>
    transaction(knex, (trx) => enqueueJob(trx, { task: 'note', payload, key: `note:${payload.name}` }))
  await expect(
    transaction(knex, async (trx) => {
      await enqueueJob(trx, { task: 'note', payload: { name: 'rolled back' }, key: 'note:rolled back' })
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await enqueue({ name: 'dropped' })
  await removeJob(knex, 'note:dropped')
  await enqueue({ name: 'committed' })
  // Skips the head start and the pause after a failure.
  const hurry = () => knex.raw(`update jobs set run_at = now()`)
  await hurry()
  await using _jobs = startJobWorker(
    {
      async note(payload) {
        if (++attempts === 1) {
          setImmediate(hurry)
          throw new Error('not yet')
        }
        done.push(payload)
        finished.resolve()
      },
    },
    { logger, registry: new Registry(), knex },
  )
  await finished.promise
  expect(done).toEqual([{ name: 'committed' }])
  expect(attempts).toBe(2)
})
