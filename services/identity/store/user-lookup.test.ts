import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import type { User } from '#contracts'
import { createBatchLoader } from '#database'
import { newIdentifier } from '#runtime'
import { cloneDatabase, openForTest } from '../../../testing/databases.ts'
import { lookUpUsers, type UserLookup } from './user-lookup.ts'
import { insertUser } from './users.ts'

test('look-ups of one turn, by either ID, share one statement', async () => {
  await using database = openForTest(await cloneDatabase(inject('postgres_url'), 'identity'))
  const { knex } = database
  await knex('accounts').insert({ account: 'a', name: 'A' })
  await knex('sites').insert({ account: 'a', site_id: 'a', name: 'A', requests_per_window: 1, revision: 1 })
  const users: User[] = []
  await knex.transaction(async (trx) => {
    for (let n = 0; n < 50; n++) {
      const createdAt = new Date()
      const ids = { identifier: newIdentifier(createdAt.getTime()), primary_key: randomUUID() }
      users.push(await insertUser(trx, { site: 1, ...ids, created_at: createdAt }))
    }
  })
  const statements: string[] = []
  knex.on('query', ({ sql }: { sql: string }) => statements.push(sql))
  const findUser = createBatchLoader((lookups: readonly UserLookup[]) => lookUpUsers(knex, lookups))
  const found = await Promise.all([
    ...users.map(({ identifier }) => findUser({ site: 1, by: 'identifier', id: identifier })),
    ...users.map(({ primary_key }) => findUser({ site: 1, by: 'primary_key', id: primary_key ?? '' })),
    findUser({ site: 1, by: 'primary_key', id: 'unknown' }),
    findUser({ site: 2, by: 'identifier', id: users[0]?.identifier ?? '' }),
  ])
  expect(statements).toHaveLength(1)
  const expected = users.map((user) => ({ user, links: [] }))
  expect(found).toEqual([...expected, ...expected, undefined, undefined])
})
