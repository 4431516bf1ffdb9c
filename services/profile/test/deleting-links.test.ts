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

test('what the provider of a deleted link supplied is gone, and the rest is combined again', async () => {
  const [user, { messaging, search }] = [newUser(), links()]
  await calls.record(user, messaging, 10)
  await calls.record(user, search, 20)
  await calls.deleteLinks(user, [search], 30)
  expect(await calls.names(user)).toEqual({ messaging: 'messaging' })
  expect(Object.keys(await calls.dataOf([messaging, search]))).toEqual(['messaging'])
  expect((await read(user)).profile).toMatchObject({ full_name: 'messaging', update_count: 3 })
})

test('with keep the combined profile stays until the next login', async () => {
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

test('when no link remains the profile is that of a user without data', async () => {
  const [user, { messaging }] = [newUser(), links()]
  await calls.record(user, messaging, 10)
  await calls.deleteLinks(user, [messaging], 20)
  expect(await read(user)).toEqual(await read(newUser()))
})

test('data that arrive for a deleted link are not stored, whenever they were obtained', async () => {
  const [user, { messaging }] = [newUser(), links()]
  await calls.deleteLinks(user, [messaging], 20)
  for (const ms of [10, 20, 30]) await calls.record(user, messaging, ms)
  expect(await calls.dataOf([messaging])).toEqual({})
  expect(await read(user)).toEqual(await read(newUser()))
})

test('of an account that is linked again the data stay when the deletion of the former link is late or repeated', async () => {
  const [user, former, link] = [newUser(), newLink('messaging'), newLink('messaging')]
  await calls.record(user, former, 10, 'before')
  await calls.record(user, link, 21, 'after')
  await calls.deleteLinks(user, [former], 20)
  const after = await read(user)
  expect(await calls.names(user)).toEqual({ messaging: 'after' })
  await calls.deleteLinks(user, [former], 20)
  expect(await read(user)).toEqual(after)
})

test('a repeated call combines once', async () => {
  const [user, { messaging, search }] = [newUser(), links()]
  await calls.record(user, messaging, 10)
  await calls.record(user, search, 10)
  await Promise.all(Array.from({ length: 5 }, () => calls.deleteLinks(user, [search], 20)))
  expect((await read(user)).profile.update_count).toBe(3)
})

test('a user who prohibits storing still does when a link is deleted', async () => {
  const [user, { messaging }] = [newUser(), links()]
  await calls.deleteProfile(user, [messaging], true)
  await calls.deleteLinks(user, [messaging], 10)
  expect(await read(user)).toEqual({ ...(await read(newUser())), profile_prohibited: true })
})

test('of a deleted user nothing is left but the notes that it and its links were deleted', async () => {
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
  expect(await knex('profiles').where(user)).toEqual([{ ...user, ...nothing, deleted: true }])
  const linkIds = [messaging.link_id, search.link_id]
  for (const table of ['links', 'provider_profiles']) expect(await knex(table).whereIn('link_id', linkIds)).toEqual([])
  expect(await knex('deleted_link_data').whereIn('link_id', linkIds).pluck('deleted_until')).toEqual([
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ])
})

test('a user can be deleted before the first data arrive, also those of a link that nobody knew', async () => {
  const [user, { messaging, search }] = [newUser(), links()]
  await calls.deleteLinks(user, [messaging], 10, 'delete')
  await calls.record(user, messaging, 20)
  await calls.record(user, search, 20)
  expect(await calls.dataOf([messaging, search])).toEqual({})
})

test('logins and deletions at once, in any order, leave the data of the links that remain', async () => {
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

test('a user deleted while data arrive has none in the end', async () => {
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
