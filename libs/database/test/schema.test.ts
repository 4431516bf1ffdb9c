import { expect, inject, test } from 'vitest'
import { type Migration, migrate, openDatabase, provisionDatabase, schemaBecomesCurrent } from '#database'
import { createLogger } from '#runtime'

const logger = createLogger('test', 'silent')
const things: Migration = { name: '0001-things', up: async (knex) => void (await knex.raw('create table things ()')) }

test('who starts before the migrations ran waits for them, and no longer', async () => {
  const url = await provisionDatabase(inject('postgres_url'), { name: `schema_${process.pid}`, password: 'p' })
  await using database = await openDatabase(url, { name: 'test', logger })
  let current = false
  const waiting = schemaBecomesCurrent(database.knex, [things], logger).then(() => {
    current = true
  })
  await migrate(url, [])
  expect(current).toBe(false)
  await migrate(url, [things])
  await waiting
  await schemaBecomesCurrent(database.knex, [things], logger)
})
