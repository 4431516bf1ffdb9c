import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIdentifier } from '#runtime'
import { faultMatching, openIdentity, type SharedHarness } from './harness.ts'
import { createUserActions, outcomeOf, type UserActions } from './user-actions.ts'

let harness: SharedHarness
let site: number
let on: UserActions
beforeAll(async () => {
  harness = await openIdentity()
  await harness.startReplica()
  site = await harness.newSite()
  on = createUserActions(harness, site)
})
afterAll(() => harness[Symbol.asyncDispose]())

test('a linked account is listed, and a login with it is that user', async () => {
  const { identifier } = await on.create(['messaging'])
  const account = on.account('search')
  const { link } = await on.link(identifier, account)
  expect(link).toMatchObject(account)
  expect((await on.resolve(identifier)).links).toContainEqual(link)
  expect(await on.login(account)).toMatchObject({ created: false, user: { identifier } })
})

test('linking an account again changes nothing and returns the same link', async () => {
  const { identifier } = await on.create()
  const account = on.account('search')
  const first = await on.link(identifier, account)
  const before = await on.resolve(identifier)
  expect((await on.link(identifier, account)).link).toEqual(first.link)
  expect(await on.resolve(identifier)).toEqual(before)
})

test('entity_not_found for a user who does not exist, and nothing is linked', async () => {
  const account = on.account('search')
  await expect(on.link(newIdentifier(), account)).rejects.toMatchObject(faultMatching('entity_not_found'))
  expect(await on.login(account)).toMatchObject({ created: true })
})

test("provider_already_linked for another account of the provider, before invalid_parameter for another user's account", async () => {
  const [one, other] = [await on.create(['search']), await on.create(['search', 'portal'])]
  const [othersSearch, othersPortal] = other.links
  const already = faultMatching('provider_already_linked')
  await expect(on.link(one.identifier, on.account('search'))).rejects.toMatchObject(already)
  await expect(on.link(one.identifier, othersSearch ?? on.account('search'))).rejects.toMatchObject(already)
  await expect(on.link(one.identifier, othersPortal ?? on.account('portal'))).rejects.toMatchObject(
    faultMatching('invalid_parameter'),
  )
  expect(await on.providersOf(one.identifier)).toEqual(['search'])
})

test('an account linked as search_legacy is linked as search to its own user only', async () => {
  const [one, other, third] = [
    await on.create(['search_legacy']),
    await on.create(),
    await on.create(['search_legacy']),
  ]
  const [{ provider_user_id } = { provider_user_id: '' }] = one.links
  const current = on.account('search', provider_user_id)
  await expect(on.link(other.identifier, current)).rejects.toMatchObject(faultMatching('invalid_parameter'))
  await expect(on.link(third.identifier, current)).rejects.toMatchObject(faultMatching('provider_already_linked'))
  await on.link(one.identifier, current)
  expect(await on.providersOf(one.identifier)).toEqual(['search', 'search_legacy'])
})

test('of fifty users who link one account concurrently exactly one gets it', async () => {
  const account = on.account('search')
  const users = await Promise.all(Array.from({ length: 50 }, () => on.create()))
  const outcomes = await Promise.all(users.map(({ identifier }) => outcomeOf(on.link(identifier, account))))
  expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'invalid_parameter')).toHaveLength(49)
  const holder = users[outcomes.indexOf('ok')]
  expect(await on.login(account)).toMatchObject({ created: false, user: { identifier: holder?.identifier } })
})

test('of twenty accounts of one provider that a user links concurrently exactly one is linked', async () => {
  const { identifier } = await on.create()
  const accounts = Array.from({ length: 20 }, () => on.account('search'))
  const outcomes = await Promise.all(accounts.map((account) => outcomeOf(on.link(identifier, account))))
  expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'provider_already_linked')).toHaveLength(19)
  expect(await on.providersOf(identifier)).toEqual(['search'])
})

test('concurrent first logins, creations and links of one account leave it with one user', async () => {
  for (let round = 0; round < 5; round++) {
    const providerUserId = randomUUID()
    const users = await Promise.all(Array.from({ length: 6 }, () => on.create()))
    const names = ['search', 'search_legacy'] as const
    await Promise.all(
      users.flatMap(({ identifier }, n) => [
        outcomeOf(on.link(identifier, on.account(names[n % 2] ?? 'search', providerUserId))),
        outcomeOf(on.login(on.account('search', providerUserId))),
      ]),
    )
    const holders = await harness.knex('links').where({ site, provider_user_id: providerUserId }).distinct('identifier')
    expect(holders).toHaveLength(1)
  }
})

test('linking fails if the user is deleted meanwhile', async () => {
  const { knex, waitingForLocks } = harness
  const { identifier } = await on.create()
  const deleting = await knex.transaction()
  await deleting('users').where({ site, identifier }).delete()
  const linking = outcomeOf(on.link(identifier, on.account('search')))
  await expect.poll(waitingForLocks).toBe(1)
  await deleting.commit()
  expect(await linking).toBe('entity_not_found')
})

test('the holder of an account is found under search and search_legacy, only at its own site', async () => {
  const { identifier } = await on.create(['messaging'])
  const account = on.account('search_legacy')
  const { link_id } = (await on.link(identifier, account)).link
  const holder = { holder: { identifier, link_id } }
  const find = (changes: { site?: number; provider?: 'search' | 'messaging'; provider_user_id?: string } = {}) =>
    harness.identity.findAccountHolder({ site, ...account, ...changes }, harness.call())
  expect(await find()).toEqual(holder)
  expect(await find({ provider: 'search' })).toEqual(holder)
  expect(await find({ provider: 'messaging' })).toEqual({ holder: null })
  expect(await find({ provider_user_id: 'unknown' })).toEqual({ holder: null })
  expect(await find({ site: await harness.newSite() })).toEqual({ holder: null })
})
