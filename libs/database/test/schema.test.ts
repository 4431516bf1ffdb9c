import { Registry } from 'prom-client'
import { expect, inject, test } from 'vitest'
import { type Migration, migrate, openDatabase, provisionDatabase, waitForSchema } from '#database'
import { createLogger } from '#runtime'

const logger = createLogger('test', 'silent')
const registry = new Registry()
const versions = async () =>
  [...(await registry.metrics()).matchAll(/^sociallogin_schema_(\w*version) (\d+)$/gm)].map(
    ([, name, n]) => `${name} ${n}`,
  )
const things: Migration = { name: '0001-things', up: async (knex) => void (await knex.raw('create table things ()')) }

test('a service that starts before the migrations waits exactly for them', async () => {
  const url = await provisionDatabase(inject('postgres_url'), { name: `schema_${process.pid}`, password: 'p' })
  await using database = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger })
  let current = false
  const waiting = waitForSchema(database.knex, [things], { logger, registry }).then(() => {
    current = true
  })
  await migrate(url, [])
  expect(current).toBe(false)
  expect(await versions()).toEqual(['version 0', 'required_version 1'])
  await migrate(url, [things])
  await waiting
  expect(await versions()).toEqual(['version 1', 'required_version 1'])
  await waitForSchema(database.knex, [things], { logger, registry })
})
