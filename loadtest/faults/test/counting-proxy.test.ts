import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openForTest, startTestNats } from '#testing'
import { startCountingProxy } from '../proxy/counting-proxy.ts'
import { natsProtocol } from '../proxy/nats-protocol.ts'
import { postgresProtocol } from '../proxy/postgres-protocol.ts'
import type { Unit } from '../proxy/wire-protocol.ts'

const countAll = () => false
const lostConnection = /ECONNRESET|Connection terminated/
const table = `counted_${process.pid}`

/** With an open connection, so that its set-up statements are not counted. */
async function openProxiedDatabase() {
  const proxy = await startCountingProxy(inject('postgres_url'), postgresProtocol, countAll)
  const { knex } = openForTest(proxy.url)
  await knex.raw('select 1')
  return {
    proxy,
    knex,
    async [Symbol.asyncDispose]() {
      await knex.destroy()
      await proxy[Symbol.asyncDispose]()
    },
  }
}

async function storedValues(): Promise<number[]> {
  await using direct = openForTest(inject('postgres_url'))
  return await direct.knex(table).orderBy('n').pluck('n')
}

beforeAll(async () => {
  await using direct = openForTest(inject('postgres_url'))
  await direct.knex.schema.createTable(table, (columns) => columns.integer('n'))
})

afterAll(async () => {
  await using direct = openForTest(inject('postgres_url'))
  await direct.knex.schema.dropTable(table)
})

test('each statement is one unit, with and without parameters', async () => {
  await using database = await openProxiedDatabase()
  const units: Unit[] = []
  using _ = database.proxy.observe((unit) => units.push(unit))
  await database.knex.raw('select 2')
  await database.knex.raw('select ?::integer', [3])
  await database.knex.transaction(async (trx) => trx(table).where({ n: -1 }).delete())
  expect(units.map(({ label }) => label)).toEqual([
    'select 2',
    'select $1::integer',
    'BEGIN;',
    `delete from "${table}" where "n" = $1`,
    'COMMIT;',
  ])
})

test('a fault before a statement keeps it from the server, a fault after it keeps the answer from the process', async () => {
  await using database = await openProxiedDatabase()
  using before = database.proxy.arm({ kind: 'statement', place: 'before', n: 2 })
  await database.knex(table).insert({ n: 1 })
  await expect(database.knex(table).insert({ n: 2 })).rejects.toThrow(lostConnection)
  expect(before.unit()?.label).toContain('insert')

  await database.knex.raw('select 1')
  using after = database.proxy.arm({ kind: 'statement', place: 'after', n: 1 })
  await expect(database.knex(table).insert({ n: 3 })).rejects.toThrow(lostConnection)
  expect(after.unit()?.label).toContain('insert')
  expect(await storedValues()).toEqual([1, 3])
})

test('a fault that was disarmed or not reached does not happen', async () => {
  await using database = await openProxiedDatabase()
  {
    using fault = database.proxy.arm({ kind: 'statement', place: 'before', n: 2 })
    await database.knex.raw('select 1')
    expect(fault.unit()).toBeUndefined()
  }
  await database.knex.raw('select 2')
})

test('messages on the bus are counted in both directions, with their subjects', async () => {
  await using nats = await startTestNats(`${inject('directory')}/counting-proxy`)
  await using proxy = await startCountingProxy(nats.url, natsProtocol, countAll)
  const connection = await connect({ servers: proxy.url })
  const units: Unit[] = []
  using _ = proxy.observe((unit) => units.push(unit))
  const received = Array.fromAsync(connection.subscribe('greetings.*', { max: 2 }), (message) => message.string())
  connection.publish('greetings.first', 'PUB greetings.other 1\r\n')
  connection.publish('greetings.second', 'second')
  expect(await received).toEqual(['PUB greetings.other 1\r\n', 'second'])
  expect(units.filter(({ kind }) => kind === 'sent').map(({ label }) => label)).toEqual([
    'greetings.first',
    'greetings.second',
  ])
  expect(units.filter(({ kind }) => kind === 'received')).toHaveLength(2)
  await connection.close()
})
