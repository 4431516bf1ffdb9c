import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultMatching, newLogin, openIdentity, type SharedHarness } from './harness.ts'

let harness: SharedHarness
let site: number
beforeAll(async () => {
  harness = await openIdentity()
  await harness.startReplica()
  site = await harness.newSite()
})
afterAll(() => harness[Symbol.asyncDispose]())

test('the first login of an account creates a linked user with one login; the next one increments the count', async () => {
  const { identity, call } = harness
  const { provider, provider_user_id, ...first } = newLogin(site)
  const account = { provider, provider_user_id }
  const created = await identity.recordLogin({ ...first, ...account }, call())
  expect(created).toMatchObject({
    created: true,
    user: { primary_key: null, login_count: 1, last_logged_in_provider: provider },
  })
  expect(created.user.last_logged_in_at).toBe(created.user.created_at)
  const found = await identity.recordLogin(newLogin(site, account), call())
  expect(found).toMatchObject({ created: false, user: { identifier: created.user.identifier, login_count: 2 } })
  expect(await identity.resolveUser({ site, identifier: created.user.identifier }, call())).toEqual({
    user: found.user,
    links: [{ link_id: created.link_id, ...account, created_at: created.user.created_at }],
  })
})

test('fifty concurrent first logins of one account, at two replicas, create one user with fifty logins', async () => {
  const { identity, call, knex } = harness
  const providerUserId = randomUUID()
  const responses = await Promise.all(
    Array.from({ length: 50 }, () =>
      identity.recordLogin(newLogin(site, { provider_user_id: providerUserId }), call()),
    ),
  )
  const [identifier, ...others] = new Set(responses.map(({ user }) => user.identifier))
  expect(others).toEqual([])
  expect(responses.filter(({ created }) => created)).toHaveLength(1)
  expect(responses.map(({ user }) => user.login_count).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 50 }, (_, n) => n + 1),
  )
  expect(await knex('login_history').where({ site, identifier })).toHaveLength(50)
  // No user without a link remains.
  const unlinked = knex('users')
    .where({ site })
    .whereNotIn('identifier', knex('links').where({ site }).select('identifier'))
  expect(await unlinked).toEqual([])
})

test('a repeated login, later or twenty times concurrently, counts once and returns the same result', async () => {
  const { identity, call } = harness
  const login = newLogin(site)
  const responses = await Promise.all(Array.from({ length: 20 }, () => identity.recordLogin(login, call())))
  const again = await identity.recordLogin(login, call())
  for (const response of responses) expect(response).toEqual(again)
  expect(again).toMatchObject({ created: true, user: { login_count: 1 } })
})

test('without create_user, an account without a user is rejected, and so is a repeat after a sign-up; a user is counted', async () => {
  const { identity, call, knex } = harness
  const account = { provider_user_id: randomUUID() }
  const refused = { ...newLogin(site, account), create_user: false }
  const record = () => identity.recordLogin(refused, call())
  await expect(record()).rejects.toMatchObject({ fault: 'entity_not_found' })
  expect(await knex('links').where({ site, ...account })).toEqual([])
  const { user } = await identity.recordLogin(newLogin(site, account), call())
  await expect(record()).rejects.toMatchObject({ fault: 'entity_not_found' })
  const counted = await identity.recordLogin({ ...newLogin(site, account), create_user: false }, call())
  expect(counted).toMatchObject({ created: false, user: { identifier: user.identifier, login_count: 2 } })
})

test('of concurrent first logins, one of them without create_user, it is the same user or a rejection', async () => {
  const { identity, call, knex } = harness
  const account = { provider_user_id: randomUUID() }
  const [signUp, loginOnly] = await Promise.allSettled([
    identity.recordLogin(newLogin(site, account), call()),
    identity.recordLogin({ ...newLogin(site, account), create_user: false }, call()),
  ])
  if (signUp.status === 'rejected') throw signUp.reason
  if (loginOnly.status === 'fulfilled') expect(loginOnly.value.user.identifier).toBe(signUp.value.user.identifier)
  else expect(loginOnly.reason).toMatchObject({ fault: 'entity_not_found' })
  expect(await knex('links').where({ site, ...account })).toHaveLength(1)
})

test('an account of one site is another user at another site', async () => {
  const { identity, call, newSite } = harness
  const account = { provider_user_id: randomUUID() }
  const here = await identity.recordLogin(newLogin(site, account), call())
  const there = await identity.recordLogin(newLogin(await newSite(), account), call())
  expect(there.created).toBe(true)
  expect(there.user.identifier).not.toBe(here.user.identifier)
})

test('the same user ID at another provider is another user', async () => {
  const { identity, call } = harness
  const { provider_user_id, ...first } = newLogin(site)
  await identity.recordLogin({ ...first, provider_user_id }, call())
  const other = await identity.recordLogin(newLogin(site, { provider: 'search', provider_user_id }), call())
  expect(other.created).toBe(true)
})

test('a search login finds the user whose account is linked as search_legacy, and also links it as search', async () => {
  const { identity, call } = harness
  const providerUserId = randomUUID()
  const legacy = [{ provider: 'search_legacy' as const, provider_user_id: providerUserId }]
  const { user } = await identity.createUser({ site, links: legacy }, call())
  const login = () =>
    identity.recordLogin(newLogin(site, { provider: 'search', provider_user_id: providerUserId }), call())
  expect(await login()).toMatchObject({ created: false, user: { identifier: user.identifier, login_count: 1 } })
  expect(await login()).toMatchObject({ created: false, user: { identifier: user.identifier, login_count: 2 } })
  const { links } = await identity.resolveUser({ site, identifier: user.identifier }, call())
  expect(links.map(({ provider }) => provider).sort()).toEqual(['search', 'search_legacy'])
})

test('a search login with an account linked as search_legacy does not change another search account of the user', async () => {
  const { identity, call } = harness
  const [older, current] = [randomUUID(), randomUUID()]
  const links = [
    { provider: 'search_legacy' as const, provider_user_id: older },
    { provider: 'search' as const, provider_user_id: current },
  ]
  const created = await identity.createUser({ site, links }, call())
  const { identifier } = created.user
  expect(
    await identity.recordLogin(newLogin(site, { provider: 'search', provider_user_id: older }), call()),
  ).toMatchObject({ created: false, user: { identifier } })
  expect((await identity.resolveUser({ site, identifier }, call())).links).toEqual(
    expect.arrayContaining(created.links),
  )
})

test('an account linked as search_legacy is not linked as search to another user, even at the same time', async () => {
  const { identity, call } = harness
  const providerUserId = randomUUID()
  const createAs = (provider: 'search' | 'search_legacy') =>
    identity.createUser({ site, links: [{ provider, provider_user_id: providerUserId }] }, call())
  const outcomes = await Promise.allSettled([createAs('search'), createAs('search_legacy'), createAs('search')])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const login = newLogin(site, { provider: 'search', provider_user_id: providerUserId })
  expect(await identity.recordLogin(login, call())).toMatchObject({ created: false })
})

test('concurrent first logins and creations with one account leave it with one user', async () => {
  const { identity, call, knex } = harness
  const providerUserId = randomUUID()
  await Promise.allSettled(
    Array.from({ length: 10 }, () => [
      identity.recordLogin(newLogin(site, { provider_user_id: providerUserId }), call()),
      identity.createUser({ site, links: [{ provider: 'messaging', provider_user_id: providerUserId }] }, call()),
    ]).flat(),
  )
  const holders = await knex('links').where({ site, provider_user_id: providerUserId })
  expect(holders).toHaveLength(1)
  expect(await knex('users').where({ site, identifier: holders[0].identifier })).toMatchObject([{ login_count: 10 }])
})

test('a login during the deletion of its user counts for that user or creates a new one; later logins never find the deleted one', async () => {
  const { identity, call } = harness
  const account = { provider_user_id: randomUUID() }
  const { user } = await identity.recordLogin(newLogin(site, account), call())
  const [, during] = await Promise.all([
    identity.deleteUser({ site, identifier: user.identifier }, call()),
    identity.recordLogin(newLogin(site, account), call()),
  ])
  const after = await identity.recordLogin(newLogin(site, account), call())
  expect(after.user.identifier).not.toBe(user.identifier)
  if (during.created) expect(after.user.identifier).toBe(during.user.identifier)
})

test('entity_not_found for a repeated login whose user was deleted meanwhile: no other user is created', async () => {
  const { identity, call } = harness
  const login = newLogin(site)
  const { user } = await identity.recordLogin(login, call())
  await identity.deleteUser({ site, identifier: user.identifier }, call())
  await expect(identity.recordLogin(login, call())).rejects.toMatchObject(faultMatching('entity_not_found'))
  expect((await identity.findUsers({ site, id: login.provider_user_id }, call())).users).toEqual([])
})

test('a login that is recorded late counts, but not as newer than a login that was recorded before', async () => {
  const { identity, call } = harness
  const account = { provider_user_id: randomUUID() }
  const first = await identity.recordLogin(newLogin(site, account), call())
  const late = await identity.recordLogin({ ...newLogin(site, account), age_ms: 60_000 }, call())
  expect(Date.parse(late.recorded_at)).toBeLessThan(Date.parse(first.recorded_at))
  expect(late.user).toEqual({ ...first.user, login_count: 2 })
})

test('entity_not_found for a login at a site that does not exist', async () => {
  const { identity, call } = harness
  await expect(identity.recordLogin(newLogin(2_000_000_000), call())).rejects.toMatchObject(
    faultMatching('entity_not_found'),
  )
})
