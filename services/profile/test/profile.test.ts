import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ProviderData, profileFields } from '#contracts'
import { toTimestamp } from '#runtime'
import { callsOf, newLink, type TestLink } from './calls.ts'
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

/** Records data of a provider, by default a name, `seconds` from now. */
const record = (user: User, link: TestLink, fullName: string, seconds = 0, more: Partial<ProviderData> = {}) => {
  const data = { profile: { full_name: fullName }, follow: null, email: [], phone: [], ...more }
  const obtainedAt = toTimestamp(Date.now() + seconds * 1_000)
  return harness.profile.recordProviderData({ ...user, ...link, data, obtained_at: obtainedAt }, harness.call())
}

/** A user with two links. */
const linked = () => ({ user: newUser(), messaging: newLink('messaging'), search: newLink('search') })

test('a user without data has every field null, no update and no prohibition', async () => {
  const nothing = await read(newUser())
  expect(nothing).toMatchObject({
    profile: { last_updated_at: null, update_count: 0 },
    follow: { followed_by: null, following: null },
    email: [],
    phone: [],
    profile_prohibited: false,
  })
  expect(Object.keys(nothing.profile)).toEqual([...Object.keys(profileFields), 'last_updated_at', 'update_count'])
})

test('every login recombines the profile and increments update_count', async () => {
  const { user, messaging, search } = linked()
  await record(user, messaging, 'First', -20, { email: [{ email: 'a@example.com', verified: true }] })
  await record(user, search, 'Second', -10, { profile: { full_name: 'Second', city: 'Kyoto' } })
  await record(user, messaging, 'Third', 0)
  expect(await read(user)).toMatchObject({
    profile: { full_name: 'Third', city: 'Kyoto', update_count: 3, last_updated_at: expect.stringMatching(/Z$/) },
    email: [],
  })
})

test('data older than the stored data of the provider is ignored', async () => {
  const { user, messaging } = linked()
  await record(user, messaging, 'Newer', 0)
  const before = await read(user)
  await record(user, messaging, 'Older', -60)
  expect(await read(user)).toEqual(before)
})

test('older data of another provider is stored with lower priority', async () => {
  const { user, messaging, search } = linked()
  await record(user, messaging, 'Newer', 0)
  const { profile } = await read(user)
  await record(user, search, 'Older', -60, { profile: { full_name: 'Older', city: 'Nara' } })
  expect((await read(user)).profile).toEqual({ ...profile, city: 'Nara', update_count: 2 })
})

test('the same data sent twice counts once', async () => {
  const { user, messaging } = linked()
  const login = {
    ...user,
    ...messaging,
    data: { profile: { full_name: 'Once' }, follow: null, email: [], phone: [] },
    obtained_at: toTimestamp(Date.now()),
  }
  await Promise.all(Array.from({ length: 5 }, () => harness.profile.recordProviderData(login, harness.call())))
  expect((await read(user)).profile.update_count).toBe(1)
})

test('twenty concurrent logins with four providers are all combined', async () => {
  const user = newUser()
  const names = ['messaging', 'search', 'portal', 'social'] as const
  const links = names.map(newLink)
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const link = links[n % links.length] ?? newLink('device')
      const email = [{ email: `${link.provider}@example.com`, verified: true }]
      return record(user, link, `${n}`, n - 40, { email })
    }),
  )
  const { profile, email } = await read(user)
  expect(profile.full_name).toBe('19')
  expect(email.map(({ media_id }) => media_id).toSorted()).toEqual([...names].sort())
})

test('text that Postgres cannot store in JSON is stored without the invalid characters', async () => {
  const { user, messaging } = linked()
  await record(user, messaging, 'a\0b\ud800c😀')
  expect((await read(user)).profile.full_name).toBe('ab\ufffdc😀')
})

test('deleted data is stored again at the next login; the prohibition is unchanged', async () => {
  const { user, messaging, search } = linked()
  await record(user, messaging, 'Name', -10)
  await calls.deleteProfile(user, [messaging])
  expect(await read(user)).toEqual(await read(newUser()))
  expect(await calls.dataOf([messaging, search])).toEqual({})
  await record(user, messaging, 'Again', 1)
  expect(await read(user)).toMatchObject({
    profile: { full_name: 'Again', update_count: 1 },
    profile_prohibited: false,
  })
})

test('data supplied before a deletion is not stored if it arrives after it', async () => {
  const { user, messaging } = linked()
  await calls.deleteProfile(user, [messaging])
  await record(user, messaging, 'Late', -10)
  expect(await read(user)).toEqual(await read(newUser()))
})

test('no data is stored for a prohibited profile', async () => {
  const { profile, call } = harness
  const { user, messaging, search } = linked()
  await record(user, messaging, 'Before', -10)
  await calls.deleteProfile(user, [messaging, search], true)
  await record(user, messaging, 'After', 10)
  await record(user, search, 'After', 10)
  expect(await read(user)).toEqual({ ...(await read(newUser())), profile_prohibited: true })
  expect(await profile.readProhibition(user, call())).toEqual({ profile_prohibited: true })
  expect(await calls.dataOf([messaging, search])).toEqual({})
})

test('a prohibition remains after another deletion without one, and does not affect other users', async () => {
  const { profile, call } = harness
  const { user, messaging, search } = linked()
  await calls.deleteProfile(user, [messaging, search], true)
  await calls.deleteProfile(user, [messaging])
  expect(await profile.readProhibition(user, call())).toEqual({ profile_prohibited: true })
  expect(await profile.readProhibition({ ...user, site: user.site + 1 }, call())).toEqual({ profile_prohibited: false })
  expect(await profile.readProhibition(newUser(), call())).toEqual({ profile_prohibited: false })
})

test('after a grant nothing is stored until the next login', async () => {
  const { user, messaging, search } = linked()
  await record(user, messaging, 'Before', -20)
  await calls.deleteProfile(user, [messaging, search], true)
  await calls.grantProfile(user, [messaging])
  await record(user, messaging, 'Late', -10)
  expect(await read(user)).toEqual(await read(newUser()))
  await record(user, messaging, 'After', 10)
  expect(await read(user)).toMatchObject({ profile: { full_name: 'After' }, profile_prohibited: false })
})

test('granting an allowed profile changes nothing, and a deleted user stays deleted', async () => {
  const { user, messaging, search } = linked()
  const deleted = newUser()
  await record(user, messaging, 'Name', -10)
  const before = await read(user)
  await calls.grantProfile(user, [messaging])
  expect(await read(user)).toEqual(before)
  await calls.deleteLinks(deleted, [search], 0, 'delete')
  await calls.grantProfile(deleted, [search])
  await record(deleted, search, 'Late', 10)
  expect(await calls.dataOf([search])).toEqual({})
})

test('data is returned by link, only for the requested links', async () => {
  const { user, messaging, search } = linked()
  await record(user, messaging, 'M')
  await record(user, search, 'S')
  await record(user, newLink('portal'), 'P')
  expect(await calls.dataOf([messaging, search, newLink('device')])).toEqual({
    messaging: { profile: { full_name: 'M' }, follow: null, email: [], phone: [] },
    search: { profile: { full_name: 'S' }, follow: null, email: [], phone: [] },
  })
  expect(await calls.dataOf([])).toEqual({})
})

test('a hundred concurrent reads each get their own user', async () => {
  const users = Array.from({ length: 10 }, newUser)
  await Promise.all(users.map((user, n) => record(user, newLink('messaging'), `user ${n}`)))
  const responses = await Promise.all(Array.from({ length: 100 }, (_, n) => read(users[n % 10] ?? newUser())))
  expect(responses.map(({ profile }) => profile.full_name)).toEqual(responses.map((_, n) => `user ${n % 10}`))
})
