import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, newUser, startProfile } from './harness.ts'
import { tell } from './told.ts'

let harness: Harness
let told: ReturnType<typeof tell>
beforeAll(async () => {
  harness = await startProfile()
  told = tell(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

type User = ReturnType<typeof newUser>
const read = (user: User) => harness.profile.readProfile(user, harness.call())
const three = (): [User, User, User] => [newUser(), newUser(), newUser()]

test("the source's data are the destination's, combined anew, and of the source nothing is left", async () => {
  const [a, b] = three()
  await told.record(a, 'search', 20)
  await told.record(b, 'messaging', 10)
  await told.merge(a, b, ['search'], 30)
  expect(await told.names(b)).toEqual({ messaging: 'messaging', search: 'search' })
  expect((await read(b)).profile).toMatchObject({ full_name: 'search', update_count: 2 })
  expect(await told.names(a)).toEqual({})
  expect(await read(a)).toEqual(await read(newUser()))
})

test('without rebuilding the data move and the combined profile stays', async () => {
  const [a, b] = three()
  await told.record(a, 'search', 20)
  await told.record(b, 'messaging', 10)
  const before = await read(b)
  await told.merge(a, b, ['search'], 30, false)
  expect(await told.names(b)).toEqual({ messaging: 'messaging', search: 'search' })
  expect(await read(b)).toEqual(before)
})

test('told ten times at once it is done once', async () => {
  const [a, b] = three()
  await told.record(a, 'search', 20)
  await Promise.all(Array.from({ length: 10 }, () => told.merge(a, b, ['search'], 30)))
  expect((await read(b)).profile).toMatchObject({ full_name: 'search', update_count: 1 })
})

test('what was supplied for the source before the merge goes to the destination when it arrives after it', async () => {
  const [a, b] = three()
  await told.merge(a, b, ['search'], 30)
  await told.record(a, 'search', 20)
  expect(await told.names(b)).toEqual({ search: 'search' })
  expect(await told.names(a)).toEqual({})
  expect(await told.combinedName(b)).toBe('search')
})

test('of a provider that the source was not linked to any more nothing moves, before or after', async () => {
  const [a, b] = three()
  await told.record(a, 'search', 10)
  await told.merge(a, b, ['portal'], 30)
  await told.record(a, 'search', 15)
  await told.unlink(a, 'search', 20)
  expect(await told.names(b)).toEqual({})
})

test("a late order about a provider that the destination had unlinked leaves the source's data", async () => {
  const [a, b] = three()
  await told.record(a, 'search', 10, 'of a')
  await told.record(b, 'search', 15, 'of b')
  await told.merge(a, b, ['search'], 30)
  await told.unlink(b, 'search', 20)
  expect(await told.names(b)).toEqual({ search: 'of a' })
})

test('a provider unlinked after the merge is unlinked, whichever order arrives first', async () => {
  for (const merge_first of [true, false]) {
    const [a, b] = three()
    await told.record(a, 'search', 10)
    if (merge_first) await told.merge(a, b, ['search'], 30)
    await told.unlink(b, 'search', 40)
    if (!merge_first) await told.merge(a, b, ['search'], 30)
    await told.record(a, 'search', 20)
    expect(await told.names(b)).toEqual({})
  }
})

test('merges told in the wrong order lose nothing and bring nobody back', async () => {
  const [a, b, c] = three()
  await told.record(a, 'search', 10)
  await told.record(b, 'portal', 10)
  await told.merge(b, c, ['portal', 'search'], 40)
  await told.merge(a, b, ['search'], 30)
  await told.record(b, 'portal', 35, 'late')
  await told.record(a, 'search', 20, 'late')
  expect(await told.names(c)).toEqual({ search: 'late', portal: 'late' })
  for (const user of [a, b]) expect(await told.names(user)).toEqual({})
})

test('a provider unlinked between two merges that are told in the wrong order is unlinked', async () => {
  const [a, b, c] = three()
  await told.record(a, 'search', 10)
  await told.merge(b, c, [], 40)
  await told.merge(a, b, ['search'], 30)
  expect(await told.names(c)).toEqual({})
})

test('when the destination was deleted meanwhile nothing is kept, whichever order arrives first', async () => {
  for (const merge_first of [true, false]) {
    const [a, b] = three()
    await told.record(a, 'search', 10)
    if (merge_first) await told.merge(a, b, ['search'], 30)
    await harness.profile.forgetUser(b, harness.call())
    if (!merge_first) await told.merge(a, b, ['search'], 30)
    await told.record(a, 'search', 20)
    for (const user of [a, b]) expect(await told.names(user)).toEqual({})
  }
})

test("the destination's prohibition holds: nothing is moved to it", async () => {
  const { profile, call } = harness
  const [a, b] = three()
  await told.record(a, 'search', 10)
  await profile.deleteProfile({ ...b, prohibit: true }, call())
  await told.merge(a, b, ['search'], 30)
  await told.record(a, 'search', 20)
  expect(await read(b)).toEqual({ ...(await read(newUser())), profile_prohibited: true })
  expect(await told.names(b)).toEqual({})
})

test("the source's prohibition ends with it, and what was supplied under it is not stored", async () => {
  const { profile, call } = harness
  const [a, b] = three()
  await told.record(b, 'messaging', 10)
  await profile.deleteProfile({ ...a, prohibit: true }, call())
  await told.merge(a, b, ['search'], 30)
  await told.record(a, 'search', 20)
  expect(await profile.readProhibition(b, call())).toEqual({ profile_prohibited: false })
  expect(await told.names(b)).toEqual({ messaging: 'messaging' })
  await told.record(b, 'search', 40)
  expect(await told.names(b)).toEqual({ messaging: 'messaging', search: 'search' })
})

test("when the source's data are deleted while it is merged they are gone with the destination too, and nothing else", async () => {
  const { profile, call } = harness
  const [a, b] = three()
  await told.record(a, 'search', 10)
  await told.record(b, 'messaging', 10)
  await told.merge(a, b, ['search'], 30)
  await profile.deleteProfile({ ...a, prohibit: true }, call())
  await told.record(a, 'search', 20)
  expect(await told.names(b)).toEqual({ messaging: 'messaging' })
  expect((await read(b)).profile_prohibited).toBe(false)
  expect(await told.combinedName(b)).toBe('messaging')
})

test('logins, merges along a chain and a deletion at once leave everything with the last user', async () => {
  for (let round = 0; round < 5; round++) {
    const [a, b, c] = three()
    const d = newUser()
    await Promise.all([
      told.record(a, 'search', 10),
      told.merge(c, d, ['search', 'portal', 'social'], 50),
      told.record(b, 'portal', 10),
      told.merge(a, b, ['search'], 30),
      told.record(c, 'social', 10),
      told.merge(b, c, ['search', 'portal'], 40),
      told.merge(a, b, ['search'], 30),
      told.record(a, 'search', 20, 'last'),
    ])
    expect(await told.names(d)).toEqual({ search: 'last', portal: 'portal', social: 'social' })
    for (const user of [a, b, c]) expect(await told.names(user)).toEqual({})
  }
})
