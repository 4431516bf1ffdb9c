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
/** Two users, the first linked to search and the second to messaging. */
const two = () => ({ a: newUser(), b: newUser(), search: newLink('search'), messaging: newLink('messaging') })

test('the data of the source’s links moves to the destination, which is recombined; the source has no data', async () => {
  const { a, b, search, messaging } = two()
  await calls.record(a, search, 20)
  await calls.record(b, messaging, 10)
  await calls.merge(a, b, [search], 30)
  expect(await calls.names(b)).toEqual({ messaging: 'messaging', search: 'search' })
  expect((await read(b)).profile).toMatchObject({ full_name: 'search', update_count: 2 })
  expect(await read(a)).toEqual(await read(newUser()))
})

test('without recombination the data moves, and the combined profile is unchanged until the next login', async () => {
  const { a, b, search, messaging } = two()
  await calls.record(a, search, 20)
  await calls.record(b, messaging, 10)
  const before = await read(b)
  await calls.merge(a, b, [search], 30, false)
  expect(await read(b)).toEqual(before)
  await calls.record(b, messaging, 40)
  expect(await calls.names(b)).toEqual({ messaging: 'messaging', search: 'search' })
})

test('ten concurrent calls merge once', async () => {
  const { a, b, search } = two()
  await calls.record(a, search, 20)
  await Promise.all(Array.from({ length: 10 }, () => calls.merge(a, b, [search], 30)))
  expect((await read(b)).profile).toMatchObject({ full_name: 'search', update_count: 1 })
})

test('data for the source that arrives after the merge goes to the destination', async () => {
  const { a, b, search } = two()
  await calls.merge(a, b, [search], 30)
  await calls.record(a, search, 20)
  expect(await calls.names(b)).toEqual({ search: 'search' })
  expect(await read(a)).toEqual(await read(newUser()))
})

test('links that the source no longer had are not moved, before or after', async () => {
  const { a, b, search } = two()
  await calls.record(a, search, 10)
  await calls.merge(a, b, [newLink('portal')], 30)
  await calls.record(a, search, 15)
  await calls.deleteLinks(a, [search], 20)
  expect(await calls.names(b)).toEqual({})
})

test('a late deletion of a former link of the destination does not delete the source’s data', async () => {
  const { a, b, search } = two()
  const former = newLink('search')
  await calls.record(a, search, 10, 'of-a')
  await calls.record(b, former, 15, 'of-b')
  await calls.merge(a, b, [search], 30)
  await calls.deleteLinks(b, [former], 20)
  expect(await calls.names(b)).toEqual({ search: 'of-a' })
})

test('a link deleted after the merge is deleted, regardless of the order of calls', async () => {
  for (const mergeFirst of [true, false]) {
    const { a, b, search } = two()
    await calls.record(a, search, 10)
    if (mergeFirst) await calls.merge(a, b, [search], 30)
    await calls.deleteLinks(b, [search], 40)
    if (!mergeFirst) await calls.merge(a, b, [search], 30)
    await calls.record(a, search, 20)
    expect(await calls.names(b)).toEqual({})
    expect(await calls.dataOf([search])).toEqual({})
  }
})

test('merges that arrive in the wrong order lose no data and restore no user', async () => {
  const { a, b, search } = two()
  const [c, portal] = [newUser(), newLink('portal')]
  await calls.record(a, search, 10)
  await calls.record(b, portal, 10)
  await calls.merge(b, c, [portal, search], 40)
  await calls.merge(a, b, [search], 30)
  await calls.record(b, portal, 35, 'late-portal')
  await calls.record(a, search, 20, 'late-search')
  expect(await calls.names(c)).toEqual({ search: 'late-search', portal: 'late-portal' })
  for (const user of [a, b]) expect(await read(user)).toEqual(await read(newUser()))
})

test('if the destination was deleted meanwhile, no data is stored, regardless of the order of calls', async () => {
  for (const mergeFirst of [true, false]) {
    const { a, b, search } = two()
    await calls.record(a, search, 10)
    if (mergeFirst) await calls.merge(a, b, [search], 30)
    await calls.deleteLinks(b, [search], 40, 'delete')
    if (!mergeFirst) await calls.merge(a, b, [search], 30)
    await calls.record(a, search, 20)
    for (const user of [a, b]) expect(await read(user)).toEqual(await read(newUser()))
    expect(await calls.dataOf([search])).toEqual({})
  }
})

test('the destination’s prohibition applies: nothing is moved to it', async () => {
  const { a, b, search } = two()
  await calls.record(a, search, 10)
  await calls.deleteProfile(b, [], true)
  await calls.merge(a, b, [search], 30)
  await calls.record(a, search, 20)
  expect(await read(b)).toEqual({ ...(await read(newUser())), profile_prohibited: true })
  expect(await calls.dataOf([search])).toEqual({})
})

test('the source’s prohibition is deleted with it, and data supplied during it is not stored', async () => {
  const { a, b, search, messaging } = two()
  await calls.record(b, messaging, 10)
  await calls.deleteProfile(a, [search], true)
  await calls.merge(a, b, [search], 30)
  await calls.record(a, search, 20)
  expect((await read(b)).profile_prohibited).toBe(false)
  expect(await calls.names(b)).toEqual({ messaging: 'messaging' })
  await calls.record(b, search, 60_000)
  expect(await calls.names(b)).toEqual({ messaging: 'messaging', search: 'search' })
})

test('if the source’s data is deleted during the merge, the destination does not get it, and nothing else is lost', async () => {
  const { a, b, search, messaging } = two()
  await calls.record(a, search, 10)
  await calls.record(b, messaging, 10)
  await calls.merge(a, b, [search], 30)
  await calls.deleteProfile(a, [search], true)
  await calls.record(a, search, -10_000)
  expect(await calls.names(b)).toEqual({ messaging: 'messaging' })
  expect((await read(b)).profile_prohibited).toBe(false)
})

test('concurrent logins and merges along a chain leave all data with the last user', async () => {
  for (let round = 0; round < 5; round++) {
    const { a, b, search } = two()
    const [c, d, portal, social] = [newUser(), newUser(), newLink('portal'), newLink('social')]
    await Promise.all([
      calls.record(a, search, 10),
      calls.merge(c, d, [search, portal, social], 50),
      calls.record(b, portal, 10),
      calls.merge(a, b, [search], 30),
      calls.record(c, social, 10),
      calls.merge(b, c, [search, portal], 40),
      calls.merge(a, b, [search], 30),
      calls.record(a, search, 20, 'last'),
    ])
    expect(await calls.names(d)).toEqual({ search: 'last', portal: 'portal', social: 'social' })
    for (const user of [a, b, c]) expect(await read(user)).toEqual(await read(newUser()))
  }
})
