import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtInLoginProviders, type ExcludedFields, type ProviderData, profileItems } from '#contracts'
import { newIdentifier } from '#runtime'
import { passClockSteps, waitFor } from '#testing'
import { at, callsOf, newLink, type TestLink } from './calls.ts'
import { openProfile, type SharedHarness } from './harness.ts'

let harness: SharedHarness
beforeAll(async () => {
  harness = await openProfile()
})
afterAll(() => harness[Symbol.asyncDispose]())

/** Above those of `newUser`. */
let sites = 1_000_000_000
const newSite = () => ++sites
/** A user with a link to the messaging provider. */
const newUser = (site: number) => ({ site, identifier: newIdentifier(), messaging: newLink('messaging') })
type User = ReturnType<typeof newUser>
const nameOf = ({ site, identifier }: User) => ({ site, identifier })

const sampleData: ProviderData = {
  profile: { full_name: 'Ann', bio: 'Hello', city: 'Kyoto' },
  follow: { followed_by: 1, following: 2 },
  email: [{ email: 'ann@example.com', verified: true }],
  phone: [{ number: '+81312345678', verified: false, type: 'phone' }],
}
const everything = Object.fromEntries(builtInLoginProviders.map((provider) => [provider, [...profileItems]]))

const record = (user: User, link: TestLink = user.messaging, ms = 0) =>
  harness.profile.recordProviderData(
    { ...nameOf(user), ...link, data: sampleData, obtained_at: at(ms) },
    harness.call(),
  )
const change = (site: number, revision: number, profileNotStored: ExcludedFields) =>
  harness.profile.changeExcludedFields({ site, revision, profile_not_stored: profileNotStored }, harness.call())
const read = (user: User) => harness.profile.readProfile(nameOf(user), harness.call())
const dataOf = async ({ site, messaging }: User) => (await callsOf(harness).dataOf([messaging], site)).messaging
const cleared = (site: number) =>
  waitFor(
    async () =>
      expect(await harness.profile.readDeletionProgress({ site }, harness.call())).toEqual({ deletion: null }),
    { interval: 50 },
  )
/** All stored data of a site, decrypted, as text. */
const stored = async (site: number) => {
  const identifiers: string[] = await harness.knex('profiles').where({ site }).pluck('identifier')
  const chunks = Array.from({ length: Math.ceil(identifiers.length / 100) }, (_, place) =>
    identifiers.slice(place * 100, (place + 1) * 100),
  )
  const read = (chunk: string[]) => harness.profile.readStoredProfiles({ site, identifiers: chunk }, harness.call())
  return JSON.stringify(await Promise.all(chunks.map(read)))
}

test('excluded fields of a provider are never stored; other fields and providers are', async () => {
  const site = newSite()
  await change(site, 1, { messaging: ['bio', 'email'] })
  const user = newUser(site)
  await record(user)
  expect(await dataOf(user)).toEqual({ ...sampleData, profile: { full_name: 'Ann', city: 'Kyoto' }, email: [] })
  expect(await stored(site)).not.toMatch(/Hello|ann@example/)
  await record(user, newLink('search'), 1)
  expect(await read(user)).toMatchObject({ profile: { bio: 'Hello' }, email: [{ media_id: 'search' }] })
})

test('newly excluded fields are deleted for all users, and profiles are recombined', async () => {
  const site = newSite()
  const users = Array.from({ length: 105 }, () => newUser(site))
  const elsewhere = newUser(newSite())
  const tens = Array.from({ length: 11 }, (_, n) => users.slice(n * 10, n * 10 + 10))
  for (const ten of tens) await Promise.all(ten.map((user) => record(user)))
  await record(elsewhere)
  const [first = elsewhere] = users
  await record(first, newLink('search'), 1)
  await change(site, 1, { messaging: ['full_name', 'follow', 'phone'], search: ['bio'] })
  await cleared(site)
  const remaining = { ...sampleData, profile: { bio: 'Hello', city: 'Kyoto' }, follow: null, phone: [] }
  for (const ten of tens) expect(await Promise.all(ten.map((user) => dataOf(user)))).toEqual(ten.map(() => remaining))
  expect(await read(first)).toMatchObject({ profile: { full_name: 'Ann', bio: 'Hello' }, follow: { following: 2 } })
  expect(await read(users[1] ?? first)).toMatchObject({
    profile: { full_name: null, bio: 'Hello', update_count: 2 },
    follow: { following: null },
    phone: [],
  })
  expect(await dataOf(elsewhere)).toEqual(sampleData)
})

test('a provider with all fields excluded has no data', async () => {
  const site = newSite()
  const user = newUser(site)
  await record(user)
  await change(site, 1, { messaging: [...profileItems] })
  await cleared(site)
  expect(await dataOf(user)).toBeUndefined()
  await record(user, user.messaging, 1)
  expect(await dataOf(user)).toBeUndefined()
  expect(await stored(site)).not.toMatch(/Ann|Hello|Kyoto|ann@example/)
  expect(await read(user)).toMatchObject({ profile_prohibited: false })
})

test('profile_prohibited is true for every user of a site that excludes everything, even without a login', async () => {
  const site = newSite()
  const [known, unknown] = [newUser(site), newUser(site)]
  await record(known)
  await change(site, 1, everything)
  for (const user of [known, unknown]) {
    expect(await read(user)).toMatchObject({ profile_prohibited: true })
    expect(await harness.profile.readProhibition(nameOf(user), harness.call())).toEqual({ profile_prohibited: true })
  }
  await change(site, 2, {})
  for (const user of [known, unknown]) expect(await read(user)).toMatchObject({ profile_prohibited: false })
})

test('an older setting that arrives late is ignored', async () => {
  const site = newSite()
  await change(site, 2, {})
  await change(site, 1, { messaging: ['bio'] })
  const user = newUser(site)
  await record(user)
  expect(await dataOf(user)).toEqual(sampleData)
})

test('logins while the setting changes leave no excluded data', async () => {
  const site = newSite()
  const users = Array.from({ length: 20 }, () => newUser(site))
  const recording = users.map((user) => record(user))
  await change(site, 1, { messaging: ['bio'] })
  await Promise.all(recording)
  await cleared(site)
  expect(await stored(site)).not.toContain('Hello')
  expect(await stored(site)).toContain('Kyoto')
})

test('a merge during the deletion leaves no excluded data', async () => {
  const site = newSite()
  const users = [newUser(site), newUser(site), newUser(site)] as const
  // In the order in which the job processes them.
  const [destination = users[0], locked = users[1], source = users[2]] = users.toSorted((a, b) =>
    a.identifier < b.identifier ? -1 : 1,
  )
  for (const user of users) await record(user, newLink('search'))
  await record(source)
  await using stack = new AsyncDisposableStack()
  const { knex, profile, call } = harness
  const holding = await knex.transaction()
  stack.defer(() => void holding.rollback())
  await holding('profiles').where(nameOf(locked)).forUpdate()
  await change(site, 1, { messaging: ['bio'], search: ['city'] })
  await waitFor(async () => expect((await read(destination)).profile.city).toBeNull())
  const merge = { source: source.identifier, destination: destination.identifier, merged_at: at(5), combine: true }
  await profile.mergeUsers({ site, ...merge, link_ids: [source.messaging.link_id] }, call())
  await holding.rollback()
  await cleared(site)
  expect(await dataOf(source)).toMatchObject({ profile: { full_name: 'Ann', city: 'Kyoto' } })
  expect((await dataOf(source))?.profile).not.toHaveProperty('bio')
})

test('a merge adds no excluded data, and its preview equals its result', async () => {
  const site = newSite()
  const [source, destination] = [newUser(site), newUser(site)]
  await record(source)
  await record(destination, newLink('search'))
  await change(site, 1, { messaging: ['city', 'email'] })
  const { profile, call } = harness
  const merge = {
    site,
    source: source.identifier,
    destination: destination.identifier,
    link_ids: [source.messaging.link_id],
  }
  const before = await read(source)
  await passClockSteps()
  const preview = await profile.previewMerge(merge, call())
  expect(await read(source)).toMatchObject({ profile: { full_name: before.profile.full_name } })
  await profile.mergeUsers({ ...merge, merged_at: at(5), combine: true }, call())
  const { profile_prohibited, ...created } = await read(destination)
  expect(profile_prohibited).toBe(false)
  const lastUpdatedAt = expect.any(String)
  expect(preview).toEqual({ ...created, profile: { ...created.profile, last_updated_at: lastUpdatedAt } })
})
