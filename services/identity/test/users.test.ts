import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIdentifier } from '#runtime'
import { patientCall } from '#testing'
import { faultMatching, openIdentity, type SharedHarness } from './harness.ts'

let harness: SharedHarness
let site: number
beforeAll(async () => {
  harness = await openIdentity()
  site = await harness.newSite()
})
afterAll(() => harness[Symbol.asyncDispose]())

const create = async (more: { primary_key?: string; site?: number } = {}) => {
  const { user } = await harness.identity.createUser({ site, links: [], ...more }, harness.call())
  return user
}

test('a user created with a primary_key and links is mapped and linked', async () => {
  const { identity, call } = harness
  const primaryKey = randomUUID()
  const links = [
    { provider: 'messaging' as const, provider_user_id: randomUUID() },
    { provider: 'portal' as const, provider_user_id: 'ポータルの人 ' },
  ]
  const created = await identity.createUser({ site, primary_key: primaryKey, links }, call())
  expect(created.user).toMatchObject({
    identifier: expect.stringMatching(/^[0-9a-f]{40}$/),
    primary_key: primaryKey,
    mapped_at: created.user.created_at,
    last_logged_in_at: null,
    last_logged_in_provider: null,
    login_count: 0,
  })
  expect(created.links).toEqual(
    links.map((link) => ({ link_id: expect.any(String), ...link, created_at: created.user.created_at })),
  )
  expect(await identity.resolveUser({ site, primary_key: primaryKey }, call())).toEqual(created)
  expect(await identity.resolveUser({ site, identifier: created.user.identifier }, call())).toEqual(created)
})

test('duplicated_primary_key if another user of the site has it, and nothing is created', async () => {
  const { identity, call, newSite } = harness
  const primaryKey = randomUUID()
  await create({ primary_key: primaryKey })
  const links = [{ provider: 'messaging' as const, provider_user_id: randomUUID() }]
  const before = await identity.listUsers({ site, limit: 1 }, call())
  await expect(identity.createUser({ site, primary_key: primaryKey, links }, call())).rejects.toMatchObject(
    faultMatching('duplicated_primary_key'),
  )
  expect(await identity.listUsers({ site, limit: 1 }, call())).toEqual(before)
  const later = await identity.createUser({ site, links }, call())
  expect(later.links).toHaveLength(1)
  await create({ primary_key: primaryKey, site: await newSite() })
})

test('primary keys are compared byte for byte', async () => {
  const name = randomUUID()
  const [lower, upper] = [await create({ primary_key: `a${name}` }), await create({ primary_key: `A${name}` })]
  expect(lower.identifier).not.toBe(upper.identifier)
})

test('invalid_parameter if an account belongs to another user or two are of the same provider, and nothing is created', async () => {
  const { identity, call } = harness
  const taken = { provider: 'messaging' as const, provider_user_id: randomUUID() }
  await identity.createUser({ site, links: [taken] }, call())
  const before = await identity.listUsers({ site, limit: 1 }, call())
  const primaryKey = randomUUID()
  const invalidLinks = [
    [taken],
    [{ provider: 'portal' as const, provider_user_id: randomUUID() }, taken],
    ['one', 'two'].map((providerUserId) => ({ provider: 'social' as const, provider_user_id: providerUserId })),
  ]
  for (const links of invalidLinks) {
    await expect(identity.createUser({ site, primary_key: primaryKey, links }, call())).rejects.toMatchObject(
      faultMatching('invalid_parameter'),
    )
  }
  expect(await identity.listUsers({ site, limit: 1 }, call())).toEqual(before)
  await expect(identity.resolveUser({ site, primary_key: primaryKey }, call())).rejects.toMatchObject(
    faultMatching('entity_not_found'),
  )
})

test('of fifty concurrent creations with one primary_key exactly one succeeds', async () => {
  const { identity, call } = harness
  const primaryKey = randomUUID()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, () => identity.createUser({ site, primary_key: primaryKey, links: [] }, call())),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(faultMatching('duplicated_primary_key'))
})

test('two concurrent creations with the same two accounts in different order: one succeeds, the other fails', async () => {
  const { identity, call } = harness
  const links = (['messaging', 'portal'] as const).map((provider) => ({ provider, provider_user_id: randomUUID() }))
  const outcomes = await Promise.allSettled([
    identity.createUser({ site, links }, call()),
    identity.createUser({ site, links: links.toReversed() }, call()),
  ])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('both IDs of one user find it; invalid_parameter for IDs of two users, or one known and one unknown ID', async () => {
  const { identity, call } = harness
  const [one, two] = [await create({ primary_key: randomUUID() }), await create({ primary_key: randomUUID() })]
  const { identifier } = one
  const resolve = (ids: { identifier: string; primary_key: string }) => identity.resolveUser({ site, ...ids }, call())
  expect(await resolve({ identifier, primary_key: one.primary_key ?? '' })).toMatchObject({ user: one })
  const invalid = faultMatching('invalid_parameter')
  await expect(resolve({ identifier, primary_key: two.primary_key ?? '' })).rejects.toMatchObject(invalid)
  await expect(resolve({ identifier, primary_key: 'unknown' })).rejects.toMatchObject(invalid)
  await expect(resolve({ identifier: 'unknown', primary_key: two.primary_key ?? '' })).rejects.toMatchObject(invalid)
})

test('entity_not_found for unknown IDs, and for the user of another site', async () => {
  const { identity, call, newSite } = harness
  const { identifier } = await create()
  const other = await newSite()
  const missing = faultMatching('entity_not_found')
  await expect(identity.resolveUser({ site, identifier: newIdentifier() }, call())).rejects.toMatchObject(missing)
  await expect(identity.resolveUser({ site, primary_key: 'no' }, call())).rejects.toMatchObject(missing)
  await expect(
    identity.resolveUser({ site, identifier: newIdentifier(), primary_key: 'no' }, call()),
  ).rejects.toMatchObject(missing)
  await expect(identity.resolveUser({ site: other, identifier }, call())).rejects.toMatchObject(missing)
})

test('a thousand concurrent look-ups, by either ID, each get their own user', async () => {
  const { identity } = harness
  const users = await Promise.all(Array.from({ length: 20 }, () => create({ primary_key: randomUUID() })))
  const responses = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) => {
      const { identifier, primary_key } = users[n % users.length] ?? { identifier: '', primary_key: '' }
      return identity.resolveUser(
        n % 3 ? { site, identifier } : { site, primary_key: primary_key ?? '' },
        patientCall(),
      )
    }),
  )
  for (const [n, { user }] of responses.entries()) expect(user).toEqual(users[n % users.length])
})
