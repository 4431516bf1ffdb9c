import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import type { User } from '#contracts'
import { newIdentifier } from '#runtime'
import { cloneDatabase, openForTest } from '../../../testing/databases.ts'
import { createdEvent } from '../domain/user-events.ts'
import { findUser, type UserLookup } from './user-lookup.ts'
import { insertUser } from './users.ts'

test('users are found by either ID, in their site only', async () => {
  await using database = openForTest(await cloneDatabase(inject('postgres_url'), 'identity'))
  const { knex } = database
  await knex('accounts').insert({ account: 'a', name: 'A' })
  await knex('sites').insert({ account: 'a', site_id: 'a', name: 'A', requests_per_window: 1, revision: 1 })
  const users: User[] = []
  await knex.transaction(async (trx) => {
    for (let n = 0; n < 50; n++) {
      const createdAt = new Date()
      const ids = { site: 1, identifier: newIdentifier(createdAt.getTime()), primary_key: randomUUID() }
      const user = { ...ids, created_at: createdAt }
      users.push(await insertUser(trx, user, createdEvent({ ...user, time: createdAt }, 'web_api', [])))
    }
  })
  const lookups: UserLookup[] = [
    ...users.map(({ identifier }) => ({ site: 1, by: 'identifier' as const, id: identifier })),
    ...users.map(({ primary_key }) => ({ site: 1, by: 'primary_key' as const, id: primary_key ?? '' })),
    { site: 1, by: 'primary_key', id: 'unknown' },
    { site: 2, by: 'identifier', id: users[0]?.identifier ?? '' },
  ]
  const found = await Promise.all(lookups.map((lookup) => findUser(knex, lookup)))
  const expected = users.map((user) => ({ user, links: [] }))
  expect(found).toEqual([...expected, ...expected, undefined, undefined])
})
