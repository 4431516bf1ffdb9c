import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  defineStatement,
  enqueueJob,
  jobsMigration,
  type Migration,
  migrate,
  openDatabase,
  provisionDatabase,
  startJobWorker,
  transaction,
} from '#database'
import { findPrograms, type RunningServer, requireProgram, startPgBouncer, supportsPreparedStatements } from '#local'
import { ConfigError, createLogger } from '#runtime'

const logger = createLogger('test', 'silent')
const isInstalled = (await findPrograms('pgbouncer')).length > 0
const skipped = isInstalled ? '' : ' (skipped: install PgBouncer; Debian: pgbouncer)'

const role = `pooled_${process.pid}`
/** A role whose sessions have no limits. */
const unlimitedRole = `unlimited_${process.pid}`
const directUrl = new URL(inject('postgres_url'))
const poolSize = 4
let directory = ''
let bouncer: RunningServer
let config = { DATABASE_URL: '', DATABASE_PREPARED_STATEMENTS: true }
let url = ''

const start = (port?: number) =>
  startPgBouncer({
    directory,
    postgresUrl: directUrl.href,
    roles: new Map([role, unlimitedRole].map((name) => [name, 'p'])),
    poolSize,
    ...(port !== undefined && { port }),
  })

beforeAll(async () => {
  if (!isInstalled) return
  directory = await mkdtemp(join(inject('directory'), 'pgbouncer-'))
  for (const name of [role, unlimitedRole]) await provisionDatabase(directUrl.href, { name, password: 'p' })
  await setLimits()
  bouncer = await start()
  url = `postgres://${role}:p@${new URL(bouncer.url).host}/${role}`
  config = {
    DATABASE_URL: url,
    DATABASE_PREPARED_STATEMENTS: supportsPreparedStatements(await requireProgram('pgbouncer')),
  }
})
afterAll(() => bouncer?.stop())

async function setLimits(): Promise<void> {
  const client = new pg.Client({ connectionString: directUrl.href })
  await client.connect()
  for (const setting of [
    'statement_timeout = 1000',
    'lock_timeout = 1000',
    'idle_in_transaction_session_timeout = 1000',
  ])
    await client.query(`alter role ${role} set ${setting}`)
  await client.end()
}

const insertNote = defineStatement('insert into notes (note) values ($1)')
const countNotes = defineStatement<{ count: number }>('select count(*) as count from notes where note = $1')
const sleep = defineStatement('select pg_sleep(10)')

test.skipIf(!isInstalled)(
  `a pooler without the limits of sessions is rejected, with what to do${skipped}`,
  async () => {
    const unlimited = { ...config, DATABASE_URL: url.replaceAll(role, unlimitedRole) }
    const opening = openDatabase(unlimited, { name: 'test', logger })
    await expect(opening).rejects.toThrow(ConfigError)
    await expect(opening).rejects.toThrow(`alter role "${unlimitedRole}" set statement_timeout = 5000;`)
  },
)

test.skipIf(!isInstalled)(
  `with limits of the role, several processes share the connections of a pooler${skipped}`,
  async () => {
    // It takes longer than the limits of the role.
    const slow: Migration = {
      name: '0001-notes',
      up: async (knex) => void (await knex.raw('create table notes (note text); select pg_sleep(1.5)')),
    }
    const runs = await Promise.all([1, 2].map(() => migrate(url, [jobsMigration, slow])))
    expect(runs.map(({ applied }) => applied.length).sort()).toEqual([0, 2])

    await using stack = new AsyncDisposableStack()
    const open = async () => stack.use(await openDatabase(config, { name: 'test', logger }))
    const databases = [await open(), await open(), await open()]
    // More than a process has connections, but not so many that the last ones wait for seconds on a busy machine.
    const work = databases.flatMap(({ knex, reader }, process) =>
      Array.from({ length: 20 }, async (_, worker) => {
        const counts: unknown[] = []
        for (let turn = 0; turn < 5; turn++) {
          const note = `${process} ${worker} ${turn}`
          await transaction(knex, async (trx) => {
            await insertNote(trx, [note])
            await trx('notes').count()
            await insertNote(trx, [note])
          })
          counts.push((await countNotes(reader, [note])).rows[0]?.count)
        }
        return counts
      }),
    )
    expect((await Promise.all(work)).flat()).toEqual(Array.from({ length: 300 }, () => 2))

    const [{ knex, reader }] = [await open()]
    await expect(sleep(reader, [])).rejects.toMatchObject({ code: '57014' })
    const { promise: done, resolve } = Promise.withResolvers<unknown>()
    stack.use(startJobWorker({ note: async (payload) => resolve(payload) }, { logger, registry: new Registry(), knex }))
    await enqueueJob(knex, { task: 'note', payload: { a: 1 }, key: 'k', immediate: true })
    expect(await done).toEqual({ a: 1 })
  },
)

test.skipIf(!isInstalled)(`a pooler that was replaced is used again${skipped}`, async () => {
  await using database = await openDatabase(config, { name: 'test', logger })
  await bouncer.stop()
  await expect.poll(database.usable).toBe(false)
  bouncer = await start(Number(new URL(url).port))
  await expect.poll(database.usable).toBe(true)
  const one = defineStatement<{ one: number }>('select 1 as one')
  expect((await one(database.knex, [])).rows).toEqual([{ one: 1 }])
  expect((await one(database.reader, [])).rows).toEqual([{ one: 1 }])
})
