import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { UserConditions, UserPosition } from '#contracts'
import { faultMatching, newLogin, openIdentity, type SharedHarness } from './harness.ts'

let harness: SharedHarness
let site: number
beforeAll(async () => {
  harness = await openIdentity()
})
beforeEach(async () => {
  site = await harness.newSite()
})
afterAll(() => harness[Symbol.asyncDispose]())

type List = Partial<Omit<Parameters<SharedHarness['identity']['listMatchingUsers']>[0], 'site' | 'after'>>

/** Creates a user; the other columns are those of a user with such a history. */
async function newUser(
  columns: Readonly<Record<string, unknown>> = {},
  provider: 'messaging' | 'search' = 'messaging',
) {
  const { identity, call, knex } = harness
  const { user } = await identity.recordLogin(newLogin(site, { provider }), call())
  const key = { site, identifier: user.identifier }
  if (Object.keys(columns).length > 0) await knex('users').where(key).update(columns)
  return key
}

const readPage = (list: List, after?: UserPosition) =>
  harness.identity.listMatchingUsers(
    { site, limit: 2, conditions: {}, sort: 'created', order: 'desc', ...list, after },
    harness.call(),
  )

/** All users of a list, read by pages. */
async function readAll(list: List): Promise<string[]> {
  const identifiers: string[] = []
  let after: UserPosition | null | undefined
  while (after !== null) {
    const page = await readPage(list, after)
    expect(page.identifiers.length).toBeLessThanOrEqual(list.limit ?? 2)
    identifiers.push(...page.identifiers)
    after = page.next
  }
  return identifiers
}

const day = (date: number) => new Date(Date.UTC(2026, 0, date))
const never = { last_logged_in_at: null, last_logged_in_provider: null, login_count: 0 }

test('users are listed by last login and by logins, in both directions, by pages', async () => {
  const users = [
    await newUser({ last_logged_in_at: day(3), login_count: 5 }),
    await newUser({ ...never, created_at: day(1) }),
    await newUser({ last_logged_in_at: day(9), login_count: 2 }),
    await newUser({ last_logged_in_at: day(5), login_count: 9 }),
    await newUser({ ...never, created_at: day(2) }),
  ].map(({ identifier }) => identifier)
  const inOrder = (...indexes: number[]) => indexes.map((index) => users[index])
  expect(await readAll({ sort: 'last_login', order: 'desc' })).toEqual(inOrder(2, 3, 0, 4, 1))
  expect(await readAll({ sort: 'last_login', order: 'asc' })).toEqual(inOrder(0, 3, 2, 1, 4))
  expect(await readAll({ sort: 'last_login', limit: 3 })).toEqual(inOrder(2, 3, 0, 4, 1))
  expect(
    await readAll({ sort: 'logins', order: 'desc', conditions: { last_login_since: '2026-01-01T00:00:00Z' } }),
  ).toEqual(inOrder(3, 0, 2))
  expect((await readAll({ sort: 'logins', order: 'asc' })).slice(2)).toEqual(inOrder(2, 0, 3))
  expect(await readAll({ sort: 'created', order: 'asc' })).toEqual(users.toSorted())
  expect((await readPage({ sort: 'last_login' })).total).toBe(5)
})

test('conditions are combined, in each order, and only counted ones have a total', async () => {
  const { identity, call, knex } = harness
  const plain = await newUser({ created_at: day(1), last_logged_in_at: day(20) })
  const search = await newUser({ created_at: day(10), last_logged_in_at: day(10) }, 'search')
  const mapped = await newUser({ created_at: day(20), last_logged_in_at: day(25) }, 'search')
  await identity.mapPrimaryKey({ ...mapped, primary_key: 'm', overwrite: false, command: crypto.randomUUID() }, call())
  const blocked = await newUser({ blocked_at: day(1), blocked_by: 'admin', last_logged_in_at: day(2) })
  const ended = await newUser({
    blocked_at: day(1),
    blocked_until: day(2),
    blocked_by: 'admin',
    last_logged_in_at: day(3),
  })
  const leaving = await newUser({ last_logged_in_at: day(4) }, 'search')
  await knex('user_deletions').insert({
    ...leaving,
    requested_at: day(1),
    delete_at: new Date(Date.now() + 86_400_000),
  })
  const cases: [UserConditions, { identifier: string }[]][] = [
    [{ provider: 'search' }, [search, mapped, leaving]],
    [{ provider: 'search', mapped: 'not_mapped_only', user_state: 'active' }, [search]],
    [{ user_state: 'active' }, [plain, search, mapped, ended]],
    [{ user_state: 'blocked' }, [blocked]],
    [{ user_state: 'to_be_deleted' }, [leaving]],
    [{ user_state: 'to_be_deleted', provider: 'messaging' }, []],
    [{ blocked: 'not_blocked_only' }, [plain, search, mapped, ended, leaving]],
    [{ created_since: '2026-01-10T00:00:00Z', created_until: '2026-01-20T00:00:00Z' }, [search]],
    [{ last_login_since: '2026-01-03T00:00:00Z', last_login_until: '2026-01-20T00:00:00Z' }, [search, ended, leaving]],
    [{ mapped: 'mapped_only' }, [mapped]],
  ]
  for (const [conditions, users] of cases)
    for (const sort of ['created', 'last_login', 'logins'] as const) {
      const expected = users.map(({ identifier }) => identifier).toSorted()
      expect({ conditions, sort, users: (await readAll({ conditions, sort })).toSorted() }).toEqual({
        conditions,
        sort,
        users: expected,
      })
    }
  expect((await readPage({ conditions: { mapped: 'not_mapped_only' }, sort: 'logins' })).total).toBe(5)
  expect((await readPage({ conditions: { provider: 'search' } })).total).toBeNull()
})

test('users who log in while pages are read move to the begin of a list by last login', async () => {
  const [first, second, third] = [
    await newUser({ last_logged_in_at: day(3) }),
    await newUser({ last_logged_in_at: day(2) }),
    await newUser({ last_logged_in_at: day(1) }),
  ]
  const page = await readPage({ sort: 'last_login', limit: 1 })
  expect(page.identifiers).toEqual([first.identifier])
  await harness
    .knex('users')
    .where(third)
    .update({ last_logged_in_at: day(8) })
  const next = await readPage({ sort: 'last_login', limit: 1 }, page.next ?? undefined)
  expect(next).toMatchObject({ identifiers: [second.identifier], next: null })
  await expect(readPage({ sort: 'logins' }, page.next ?? undefined)).rejects.toMatchObject({
    ...faultMatching('invalid_parameter'),
    fields: [{ field: 'after' }],
  })
})
