import { afterAll, beforeAll, expect, test } from 'vitest'
import { callsOf, newLink } from './calls.ts'
import { newUser, openProfile, type SharedHarness } from './harness.ts'

let harness: SharedHarness
let calls: ReturnType<typeof callsOf>
beforeAll(async () => {
  harness = await openProfile()
  calls = callsOf(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

type User = ReturnType<typeof newUser>
const read = (user: User) => harness.profile.readProfile(user, harness.call())
const links = () => ({ messaging: newLink('messaging'), search: newLink('search'), portal: newLink('portal') })

test('the data of a deleted link is deleted, and the rest is recombined', async () => {
  const [user, { messaging, search }] = [newUser(), links()]
  await calls.record(user, messaging, 10)
  await calls.record(user, search, 20)
  await calls.deleteLinks(user, [search], 30)
  expect(await calls.names(user)).toEqual({ messaging: 'messaging' })
  expect(Object.keys(await calls.dataOf([messaging, search]))).toEqual(['messaging'])
  expect((await read(user)).profile).toMatchObject({ full_name: 'messaging', update_count: 3 })
})

test('with keep the combined profile is unchanged until the next login', async () => {
  const [user, { messaging, search }] = [newUser(), links()]
  await calls.record(user, messaging, 10)
  await calls.record(user, search, 20)
  const before = await read(user)
  await calls.deleteLinks(user, [search], 30, 'keep')
  expect(Object.keys(await calls.dataOf([messaging, search]))).toEqual(['messaging'])
  expect(await read(user)).toEqual(before)
  await calls.record(user, messaging, 40, 'again')
  expect(await calls.names(user)).toEqual({ messaging: 'again' })
})

test('without remaining links the profile is empty', async () => {
  const [user, { messaging }] = [newUser(), links()]
  await calls.record(user, messaging, 10)
  await calls.deleteLinks(user, [messaging], 20)
  expect(await read(user)).toEqual(await read(newUser()))
})

test('data that arrives for a deleted link is not stored, regardless of when it was obtained', async () => {
  const [user, { messaging }] = [newUser(), links()]
  await calls.deleteLinks(user, [messaging], 20)
  for (const ms of [10, 20, 30]) await calls.record(user, messaging, ms)
  expect(await calls.dataOf([messaging])).toEqual({})
  expect(await read(user)).toEqual(await read(newUser()))
})

test('a late or repeated deletion of a former link does not delete the data of an account that was linked again', async () => {
  const [user, former, link] = [newUser(), newLink('messaging'), newLink('messaging')]
  await calls.record(user, former, 10, 'before')
  await calls.record(user, link, 21, 'after')
  await calls.deleteLinks(user, [former], 20)
  const after = await read(user)
  expect(await calls.names(user)).toEqual({ messaging: 'after' })
  await calls.deleteLinks(user, [former], 20)
  expect(await read(user)).toEqual(after)
})

test('a repeated call recombines once', async () => {
  const [user, { messaging, search }] = [newUser(), links()]
  await calls.record(user, messaging, 10)
  await calls.record(user, search, 10)
  await Promise.all(Array.from({ length: 5 }, () => calls.deleteLinks(user, [search], 20)))
  expect((await read(user)).profile.update_count).toBe(3)
})

test('deleting a link does not change a prohibition', async () => {
  const [user, { messaging }] = [newUser(), links()]
  await calls.deleteProfile(user, [messaging], true)
  await calls.deleteLinks(user, [messaging], 10)
  expect(await read(user)).toEqual({ ...(await read(newUser())), profile_prohibited: true })
})

test('only tombstones of a deleted user and its links remain', async () => {
  const { knex } = harness
  const [user, { messaging, search }] = [newUser(), links()]
  await calls.record(user, messaging, 10)
  await calls.record(user, search, 10)
  await calls.deleteProfile(user, [messaging], true)
  for (let times = 0; times < 2; times++) await calls.deleteLinks(user, [messaging, search], 20, 'delete')
  await calls.record(user, messaging, 30)
  await calls.deleteProfile(user, [messaging, search], true)
  expect(await read(user)).toEqual(await read(newUser()))
  const nothing = { prohibited: false, combined: null, update_count: 0, last_updated_at: null }
  expect(await knex('profiles').where(user)).toEqual([
    { ...user, ...nothing, deleted: true, decided_at: expect.any(Date) },
  ])
  const linkIds = [messaging.link_id, search.link_id]
  for (const table of ['links', 'provider_profiles']) expect(await knex(table).whereIn('link_id', linkIds)).toEqual([])
  expect(await knex('deleted_link_data').whereIn('link_id', linkIds).pluck('deleted_until')).toEqual([
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ])
})

test('a user can be deleted before the first data arrives, even for an unknown link', async () => {
  const [user, { messaging, search }] = [newUser(), links()]
  await calls.deleteLinks(user, [messaging], 10, 'delete')
  await calls.record(user, messaging, 20)
  await calls.record(user, search, 20)
  expect(await calls.dataOf([messaging, search])).toEqual({})
})

test('concurrent logins and deletions leave the data of the remaining links', async () => {
  for (let round = 0; round < 5; round++) {
    const [user, { messaging, search, portal }] = [newUser(), links()]
    const again = newLink('messaging')
    await Promise.all([
      calls.record(user, messaging, 10),
      calls.deleteLinks(user, [messaging], 20),
      calls.record(user, again, 30, 'last'),
      calls.record(user, search, 10),
      calls.deleteLinks(user, [search], 20),
      calls.record(user, portal, 15),
    ])
    expect(await calls.names(user)).toEqual({ messaging: 'last', portal: 'portal' })
    expect(await calls.combinedName(user)).toBe('last')
  }
})

test('a user who is deleted while data arrives has no data', async () => {
  for (let round = 0; round < 5; round++) {
    const [user, { messaging, search, portal }] = [newUser(), links()]
    const all = [messaging, search, portal]
    await Promise.all([
      ...all.map((link, n) => calls.record(user, link, n)),
      calls.deleteProfile(user, all),
      calls.deleteLinks(user, all, 20, 'delete'),
      ...all.map((link, n) => calls.record(user, link, n + 10)),
    ])
    expect(await read(user)).toEqual(await read(newUser()))
    expect(await calls.dataOf(all)).toEqual({})
  }
})
