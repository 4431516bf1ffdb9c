import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newIdentifier } from '#runtime'
import { isCitus } from '#testing'
import { afterEveryUser, beforeEveryUser, type ListPosition, toListPosition } from '../domain/list-position.ts'
import { countUsersInStatements } from '../migrations/0014-counts-in-statements.ts'
import { readIndexedPage, readPageNearEnd } from '../store/indexed-pages.ts'
import { usersNearEnd } from '../store/near-end.ts'
import { rollUpUserCounts } from '../store/user-counts.ts'
import type { UserFilter } from '../store/user-filter.ts'
import { listNewestPage, listPageAfter, listPageFrom, scanAfter, scanFrom } from '../store/user-pages.ts'
import { countUsers } from '../store/user-totals.ts'
import { deleteUsers, insertUsers, updateUsers } from './change-users.ts'
import { type Harness, startIdentity } from './harness.ts'

let harness: Harness

const day = 86_400
// Not at the start of a bucket, so that every period has a remainder.
const now = 1_900_000_123
/** Times from seconds to years ago, evenly over all bucket lengths. */
const Moment = fc
  .oneof(...[10, 300, 5_000, 3 * day, 40 * day, 900 * day].map((seconds) => fc.integer({ min: 0, max: seconds })))
  .map((ago) => now - ago)

const Mapped = fc.constantFrom(undefined, 'mapped_only' as const, 'not_mapped_only' as const)
const Filter = fc.record({
  mapped: Mapped,
  created_since: fc.option(Moment, { nil: undefined }),
  logged_in_since: fc.option(Moment, { nil: undefined }),
})

const NewUser = fc.record({
  registration: Moment,
  imported: fc.boolean(),
  older: fc.option(fc.integer({ min: 1, max: 500 * day }), { nil: 0, freq: 4 }),
  mapped: fc.boolean(),
  login: fc.option(Moment, { nil: undefined }),
})
type NewUser = typeof NewUser extends fc.Arbitrary<infer T> ? T : never

function rowOf(site: number, { registration, imported, older, mapped, login }: NewUser) {
  const identifier = imported ? `user-${randomBytes(8).toString('hex')}` : newIdentifier(registration * 1_000)
  return {
    site,
    identifier,
    imported_registration: imported ? registration : null,
    primary_key: mapped ? identifier : null,
    mapped_at: mapped ? new Date(now * 1_000) : null,
    created_at: new Date((registration - older) * 1_000 + 999),
    last_logged_in_at: login === undefined ? null : new Date(login * 1_000 + 500),
  }
}

/** The filter's users by a simple query, in order. */
async function plainly({ site, mapped, created_since, logged_in_since }: UserFilter): Promise<ListPosition[]> {
  const users = harness.knex('users').where({ site }).orderBy(['registration', 'identifier'])
  if (mapped === 'mapped_only') users.whereNotNull('primary_key')
  if (mapped === 'not_mapped_only') users.whereNull('primary_key')
  if (created_since !== undefined) users.where('created_at', '>=', new Date(created_since * 1_000))
  if (logged_in_since !== undefined) users.where('last_logged_in_at', '>=', new Date(logged_in_since * 1_000))
  return users.select<ListPosition[]>('registration', 'identifier')
}

/** Whether a user follows a position, oldest first. */
function isAfter(user: ListPosition, position: ListPosition): boolean {
  if (user.registration !== position.registration) return user.registration > position.registration
  return user.identifier > position.identifier
}

const Change = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), users: fc.array(NewUser, { minLength: 1, maxLength: 30 }) }),
  fc.record({ kind: fc.constant('log in' as const), which: fc.nat(), at: Moment }),
  fc.record({ kind: fc.constantFrom('map' as const, 'unmap' as const, 'delete' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('make older' as const), which: fc.nat(), by: fc.integer({ min: 1, max: 100 * day }) }),
  fc.record({ kind: fc.constant('log all in' as const), at: Moment }),
  fc.record({ kind: fc.constant('fold' as const), at_most: fc.integer({ min: 1, max: 40 }) }),
)
type Change = typeof Change extends fc.Arbitrary<infer T> ? T : never

/** Makes one change. Concurrent writers share the created identifiers. */
async function applyChange(site: number, created: string[], change: Change): Promise<void> {
  const { knex } = harness
  if (change.kind === 'fold') return void (await rollUpUserCounts(knex, change.at_most))
  if (change.kind === 'create') {
    const rows = change.users.map((user) => rowOf(site, user))
    await insertUsers(knex, rows)
    created.push(...rows.map(({ identifier }) => identifier))
    return
  }
  const update = (identifiers: readonly string[], changes: object) => updateUsers(knex, { site, identifiers }, changes)
  if (change.kind === 'log all in') return update(created, { last_logged_in_at: new Date(change.at * 1_000) })
  const identifier = created[change.which % created.length]
  if (identifier === undefined) return
  if (change.kind === 'delete') await deleteUsers(knex, { site, identifiers: [identifier] })
  if (change.kind === 'log in') await update([identifier], { last_logged_in_at: new Date(change.at * 1_000) })
  if (change.kind === 'map') await update([identifier], { primary_key: identifier, mapped_at: new Date() })
  if (change.kind === 'unmap') await update([identifier], { primary_key: null, mapped_at: null })
  if (change.kind === 'make older') {
    const user: { created_at: Date } | undefined = await knex('users').where({ site, identifier }).first('created_at')
    if (user) await update([identifier], { created_at: new Date(user.created_at.getTime() - change.by * 1_000) })
  }
}

// In a distributed database, statements count from the beginning.
const counters = isCitus ? ['statements'] : ['triggers', 'statements']

describe.each(counters)('counted by %s', (counter) => {
  beforeAll(async () => {
    harness = await startIdentity()
    if (counter === 'statements' && !isCitus) await harness.knex.transaction(countUsersInStatements)
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  test('totals and pages match the simple query after any history, with any roll-ups and number of writers', async () => {
    const { knex, newSite } = harness
    const History = fc.array(Change, { minLength: 1, maxLength: 12 })
    const property = fc.asyncProperty(
      fc.array(History, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(Filter, fc.integer({ min: 1, max: 7 }), fc.nat()), { minLength: 4, maxLength: 8 }),
      async (writers, questions) => {
        const site = await newSite()
        const created: string[] = []
        await Promise.all(
          writers.map(async (history) => {
            for (const change of history) await applyChange(site, created, change)
          }),
        )
        for (const [filter, limit, where] of questions) {
          const query = { site, ...filter }
          const expected = await plainly(query)
          const skip = where % (expected.length + 2)
          expect(await countUsers(knex, query)).toBe(expected.length)
          const total = expected.length
          const page = expected.slice(skip, skip + limit)
          expect(await listPageFrom(knex, query, { skip, limit, total })).toEqual(page)
          expect(await scanFrom(knex, query, skip, limit)).toEqual(page)
          expect(await scanAfter(knex, query, beforeEveryUser, limit, 'asc', 1)).toEqual(expected.slice(0, limit))
          const after = expected[skip] ?? toListPosition(newIdentifier(now * 1_000))
          const later = expected.filter((user) => isAfter(user, after)).slice(0, limit)
          expect(await scanAfter(knex, query, after, limit, 'asc', 1)).toEqual(later)
          expect(await listPageAfter(knex, query, after, limit)).toEqual(later)
          if (filter.created_since === undefined && filter.logged_in_since === undefined) {
            expect(await readIndexedPage(knex, query, { after, skip: 0, limit })).toEqual({ total, users: later })
            if (skip <= usersNearEnd)
              expect(await readIndexedPage(knex, query, { skip, limit })).toEqual({ total, users: page })
            expect(await readPageNearEnd(knex, query, skip, limit)).toEqual(
              total - skip > usersNearEnd ? undefined : { total, users: page },
            )
          }
          const newestFirst = expected.toReversed()
          expect(await listNewestPage(knex, query, { skip, limit, total })).toEqual(
            newestFirst.slice(skip, skip + limit),
          )
          expect(await scanAfter(knex, query, afterEveryUser, limit, 'desc', 1)).toEqual(newestFirst.slice(0, limit))
          const before = newestFirst.filter((user) => isAfter(after, user)).slice(0, limit)
          expect(await scanAfter(knex, query, after, limit, 'desc', 1)).toEqual(before)
          expect(await listPageAfter(knex, query, after, limit, 'desc')).toEqual(before)
        }
      },
    )
    // Concurrent writes are not repeatable, so the example is not shrunk.
    await fc.assert(property, { numRuns: 25, endOnFailure: true })
  })

  test('a total is consistent during concurrent writes and roll-ups', async () => {
    const { knex, newSite } = harness
    const site = await newSite()
    let writing = true
    const write = async () => {
      // Every statement leaves the number of users a multiple of ten.
      for (let n = 0; n < 40; n++) {
        const registration = now - (randomBytes(3).readUIntBE(0, 3) % (30 * day))
        const users = Array.from({ length: 10 }, () =>
          rowOf(site, { registration, imported: false, older: 0, mapped: n % 2 === 0, login: registration }),
        )
        await insertUsers(knex, users)
        if (n % 4 === 3) await deleteUsers(knex, { site, identifiers: users.map(({ identifier }) => identifier) })
      }
    }
    const fold = async () => {
      while (writing) await rollUpUserCounts(knex, 3)
    }
    const totals: number[] = []
    const read = async () => {
      while (writing) {
        totals.push(await countUsers(knex, { site }))
        totals.push(await countUsers(knex, { site, logged_in_since: now - 31 * day }))
        totals.push(await countUsers(knex, { site, created_since: now - 31 * day, mapped: 'mapped_only' }))
      }
    }
    const background = [fold(), read()]
    await Promise.all([write(), write()])
    writing = false
    await Promise.all(background)
    expect(totals.filter((total) => total % 10 !== 0)).toEqual([])
    expect(await countUsers(knex, { site })).toBe(600)
  })

  test('paging neither misses nor repeats users who exist throughout, while others are created and deleted', async () => {
    const { identity, call, knex, newSite } = harness
    const site = await newSite()
    const rows = (count: number) =>
      Array.from({ length: count }, () => {
        const registration = now - (randomBytes(3).readUIntBE(0, 3) % (90 * day))
        const imported = registration % 2 === 0
        return rowOf(site, { registration, imported, older: 0, mapped: false, login: now - 60 })
      })
    const steady = rows(400)
    await insertUsers(knex, steady)
    let walking = true
    const comeAndGo = async () => {
      while (walking) {
        const guests = rows(5)
        await insertUsers(knex, guests)
        await deleteUsers(knex, { site, identifiers: guests.map(({ identifier }) => identifier) })
      }
    }
    const writers = [comeAndGo(), comeAndGo()]
    for (const filter of [{}, { logged_in_since: now - day }, { created_since: now - 91 * day }]) {
      const seen: string[] = []
      for (let position = {}, more = true; more; ) {
        const page = await identity.listUsers({ site, limit: 30, ...position, ...filter }, call())
        seen.push(...page.identifiers)
        position = { after: seen.at(-1), after_registration: page.last_registration }
        more = page.more
      }
      expect(seen).toEqual([...new Set(seen)])
      expect(steady.filter(({ identifier }) => !seen.includes(identifier))).toEqual([])
    }
    walking = false
    await Promise.all(writers)
  })

  test('the background roll-up processes all deltas', async () => {
    const { knex, newSite } = harness
    const site = await newSite()
    await insertUsers(knex, [
      rowOf(site, { registration: now, imported: false, older: 0, mapped: false, login: undefined }),
    ])
    const unfolded = async () => (await knex('user_count_deltas').where({ site })).length
    await expect.poll(unfolded).toBe(0)
    expect(await countUsers(knex, { site })).toBe(1)
  })

  test('Postgres rejects users created later than their registration, because lists could not find them', async () => {
    const { knex, newSite } = harness
    const site = await newSite()
    const row = {
      ...rowOf(site, { registration: now, imported: false, older: 0, mapped: false, login: undefined }),
      created_at: new Date((now + 1) * 1_000),
    }
    await expect(insertUsers(knex, [row])).rejects.toThrow(/users_created_before_registration/)
  })
})
