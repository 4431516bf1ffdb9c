import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIdentity, type SharedHarness } from './harness.ts'
import { createUserActions, outcomeOf, type UserActions } from './user-actions.ts'

let harness: SharedHarness
let site: number
let on: UserActions
beforeAll(async () => {
  harness = await openIdentity()
  site = await harness.newSite()
  on = createUserActions(harness, site)
})
afterAll(() => harness[Symbol.asyncDispose]())

const until = '2100-01-01T00:00:00Z'
const later = '2101-01-01T00:00:00Z'
const block = (identifier: string, end: string | null = null, reason: string | null = null) =>
  harness.identity.blockUser({ site, identifier, until: end, reason, by: 'Test' }, harness.call())
const blockOf = async (identifier: string) => (await on.resolve(identifier)).user.block

test('a login of a blocked user is rejected without a trace, and also its repeat', async () => {
  const { identifier, links } = await on.create(['messaging'])
  const [account = on.account('messaging')] = links
  const login = randomUUID()
  const record = () => harness.identity.recordLogin({ site, login, ...account }, harness.call())
  await record()
  await block(identifier)
  expect(await outcomeOf(record())).toBe('user_blocked')
  expect(await outcomeOf(on.login(account))).toBe('user_blocked')
  expect(await outcomeOf(on.link(identifier, on.account('search')))).toBe('user_blocked')
  expect(await on.resolve(identifier)).toMatchObject({ user: { login_count: 1 }, links: [{ provider: 'messaging' }] })
  expect(await harness.knex('login_history').where({ site, identifier })).toHaveLength(1)
})

test('a changed block keeps its beginning, and a repeat of a command changes nothing', async () => {
  const { identifier } = await on.create()
  await block(identifier, until, 'Spam')
  const first = await blockOf(identifier)
  expect(first).toEqual({ since: expect.any(String), until, reason: 'Spam', by: 'Test' })
  const command = randomUUID()
  const unblock = () => harness.identity.unblockUser({ site, identifier, command }, harness.call())
  await block(identifier)
  expect(await blockOf(identifier)).toEqual({ ...first, until: null, reason: null })
  await unblock()
  expect(await blockOf(identifier)).toBeUndefined()
  await block(identifier)
  await unblock()
  expect(await blockOf(identifier)).toMatchObject({ until: null })
})

test('a block in the past is rejected', async () => {
  const { identifier } = await on.create()
  await expect(block(identifier, '2020-01-01T00:00:00Z')).rejects.toMatchObject({
    fault: 'invalid_parameter',
    fields: [{ field: 'until' }],
  })
})

test('the user of a merge has the block that ends later', async () => {
  const ends = async (source: string | null | undefined, destination: string | null | undefined) => {
    const [a, b] = [await on.create(), await on.create()]
    if (source !== undefined) await block(a.identifier, source)
    if (destination !== undefined) await block(b.identifier, destination)
    await on.merge(a.identifier, b.identifier, { nomerge: true })
    return (await blockOf(b.identifier))?.until
  }
  expect(await ends(undefined, undefined)).toBeUndefined()
  expect(await ends(until, undefined)).toBe(until)
  expect(await ends(undefined, until)).toBe(until)
  expect(await ends(until, later)).toBe(later)
  expect(await ends(null, until)).toBeNull()
  expect(await ends(until, null)).toBeNull()
})

test('sessions of a user who becomes blocked by a merge end', async () => {
  const [a, b] = [await on.create(), await on.create()]
  await block(a.identifier)
  await on.merge(a.identifier, b.identifier, { nomerge: true })
  expect((await on.resolve(b.identifier)).user.sessions_ended_at).toBeDefined()
})

test('the list of blocked users has those who are blocked now, in pages of both orders', async () => {
  const own = await harness.newSite()
  const users = createUserActions(harness, own)
  const identifiers: string[] = []
  for (let n = 0; n < 5; n++) identifiers.push((await users.create()).identifier)
  const [one = '', two = '', three = '', , five = ''] = identifiers
  for (const [identifier, end] of [
    [one, null],
    [two, until],
    [three, until],
    [five, null],
  ] as const)
    await harness.identity.blockUser({ site: own, identifier, until: end, reason: null, by: 'Test' }, harness.call())
  await harness
    .knex('users')
    .where({ site: own, identifier: two })
    .update({ blocked_until: harness.knex.raw("now() - interval '1 second'") })
  const list = (page: object) =>
    harness.identity.listUsers({ site: own, limit: 2, blocked: true, ...page }, harness.call())
  const first = await list({ order: 'newest_first' })
  expect(first).toMatchObject({ total: 3, more: true })
  const rest = { after: first.identifiers.at(-1), after_registration: first.last_registration }
  const second = await list({ order: 'newest_first', ...rest })
  expect(second).toMatchObject({ total: 3, more: false })
  const newestFirst = [...first.identifiers, ...second.identifiers]
  expect(newestFirst.toSorted()).toEqual([one, three, five].toSorted())
  const pages = [await list({}), await list({ page: 1 })]
  expect(pages.flatMap((page) => page.identifiers)).toEqual(newestFirst.toReversed())
  expect((await list({ mapped: 'mapped_only' })).total).toBe(0)
})

test('an import blocks users, and never unblocks them', async () => {
  const [account] = [on.account('messaging')]
  const importUser = (record: object, conflict: 'merge' | 'replace' = 'merge') =>
    harness.identity.importUsers(
      {
        site,
        conflict,
        users: [
          {
            primary_key: null,
            last_logged_in_at: null,
            last_logged_in_provider: null,
            login_count: 0,
            links: [account],
            ...record,
          },
        ],
      },
      harness.call(),
    )
  const written = { until, reason: 'Fraud', by: 'Auth0' }
  const { results } = await importUser({ block: { ...written, since: '2026-01-01T00:00:00Z' } })
  const identifier = results[0]?.identifier ?? ''
  const stored = { ...written, since: '2026-01-01T00:00:00Z' }
  expect(await blockOf(identifier)).toEqual(stored)
  await importUser({})
  await importUser({}, 'replace')
  expect(await blockOf(identifier)).toEqual(stored)
  await importUser({ block: { until: null, reason: null, by: 'import' } }, 'replace')
  expect(await blockOf(identifier)).toMatchObject({ until: null, by: 'import' })

  const other = await on.create(['messaging'])
  const before = (await on.resolve(other.identifier)).user.sessions_ended_at
  await importUser({ links: other.links, block: { until: null, reason: null, by: 'import' } })
  const { user } = await on.resolve(other.identifier)
  expect([before, user.block?.by, user.sessions_ended_at]).toEqual([undefined, 'import', expect.any(String)])
})
