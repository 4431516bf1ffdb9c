import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newIdentifier } from '#runtime'
import { type StandInFollowers, serveFollowers } from './followers.ts'
import { type Harness, patience, refusal, startIdentity } from './harness.ts'
import { outcomeOf, type People, people } from './people.ts'

let harness: Harness
let site: number
let on: People
let followers: StandInFollowers
beforeAll(async () => {
  harness = await startIdentity()
  await harness.startReplica()
  site = await harness.newSite()
  on = people(harness, site)
  followers = await serveFollowers(harness.bus)
})
afterAll(async () => {
  await followers[Symbol.asyncDispose]()
  await harness[Symbol.asyncDispose]()
})
beforeEach(() => {
  followers.asked.length = 0
})

const jobs = () => harness.knex('graphile_worker.jobs').pluck('task_identifier')

test('unlinked providers are gone, and every other service was ordered to remove what came from them', async () => {
  const { identifier, links } = await on.create(['messaging', 'search', 'portal'])
  const { unlinked } = await on.unlink(identifier, ['messaging', 'portal'])
  expect(unlinked).toEqual(['messaging', 'portal'])
  expect(await on.providersOf(identifier)).toEqual(['search'])
  const unlinked_at = expect.stringMatching(/T\d\d:\d\d:\d\d\.\d{3}Z$/)
  const order = { site, identifier, unlinked_at }
  expect(followers.asked.toSorted((a, b) => a.part.localeCompare(b.part))).toEqual([
    { part: 'friendship.removeStatus', ...order },
    { part: 'profile.removeProviders', ...order, providers: ['messaging', 'portal'], rebuild: true },
    { part: 'providerAuth.removeProviders', ...order, providers: ['messaging', 'portal'] },
  ])
  expect(await jobs()).toEqual([])
  expect(await on.login(links[0] ?? on.account('messaging'))).toMatchObject({ created: true })
})

test('friendship is not asked when messaging stays, and the profile is left alone with nomerge', async () => {
  const { identifier } = await on.create(['messaging', 'search'])
  await on.unlink(identifier, ['search'], { nomerge: true })
  expect(followers.asked.map(({ part, rebuild }) => [part, rebuild]).toSorted()).toEqual([
    ['profile.removeProviders', false],
    ['providerAuth.removeProviders', undefined],
  ])
})

test('a provider named twice is unlinked once', async () => {
  const { identifier } = await on.create(['messaging', 'search'])
  expect(await on.unlink(identifier, ['search', 'search'])).toEqual({ unlinked: ['search'] })
})

test('refused with entity_not_found, provider_not_linked, last_provider, in this order, and nothing is unlinked', async () => {
  const { identifier } = await on.create(['messaging', 'search'])
  await expect(on.unlink(newIdentifier(), ['portal'])).rejects.toMatchObject(refusal('entity_not_found'))
  for (const providers of [['portal' as const], ['messaging' as const, 'search' as const, 'portal' as const]])
    await expect(on.unlink(identifier, providers)).rejects.toMatchObject(refusal('provider_not_linked'))
  await expect(on.unlink(identifier, ['search', 'messaging'])).rejects.toMatchObject(refusal('last_provider'))
  expect(await on.providersOf(identifier)).toEqual(['messaging', 'search'])
  expect(followers.asked).toEqual([])
})

test('the last provider is unlinked with nowarn', async () => {
  const { identifier } = await on.create(['messaging', 'search'])
  await on.unlink(identifier, ['search', 'messaging'], { nowarn: true })
  expect(await on.providersOf(identifier)).toEqual([])
})

test('LK-11 of two who unlink one each of the last two providers at once exactly one wins', async () => {
  for (let round = 0; round < 10; round++) {
    const { identifier } = await on.create(['messaging', 'search'])
    const outcomes = await Promise.all([
      outcomeOf(on.unlink(identifier, ['messaging'])),
      outcomeOf(on.unlink(identifier, ['search'])),
    ])
    expect(outcomes.toSorted()).toEqual(['last_provider', 'ok'])
    expect(await on.providersOf(identifier)).toHaveLength(1)
  }
})

test('of fifty who unlink one provider at once exactly one wins', async () => {
  const { identifier } = await on.create(['messaging', 'search'])
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(on.unlink(identifier, ['search']))))
  expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'provider_not_linked')).toHaveLength(49)
})

test('the moments of a login, an unlinking and the login after a new link are in their order', async () => {
  const { identifier } = await on.create(['messaging'])
  const account = on.account('search')
  const linked = await on.link(identifier, account)
  const before = await on.login(account)
  await on.unlink(identifier, ['search'])
  const [{ unlinked_at } = { unlinked_at: undefined }] = followers.asked
  const again = await on.link(identifier, account)
  const after = await on.login(account)
  const moments = [linked.recorded_at, before.recorded_at, String(unlinked_at), again.recorded_at, after.recorded_at]
  expect(moments).toEqual(moments.toSorted())
  expect(new Set(moments).size).toBe(moments.length)
})

test('operation_failed while the profile service is away, unlinked all the same; its job is done when it is back', async () => {
  const { bus, knex } = harness
  const { identifier } = await on.create(['messaging', 'search'])
  await followers[Symbol.asyncDispose]()
  {
    await using _others = await serveFollowers(bus, ['providerAuth', 'friendship'])
    await expect(on.unlink(identifier, ['search'])).rejects.toMatchObject(refusal('operation_failed'))
  }
  expect(await on.providersOf(identifier)).toEqual(['messaging'])
  expect(await jobs()).toEqual(['profile.removeProviders'])

  followers = await serveFollowers(bus)
  const asked = new Promise<void>((resolve) => followers.onAsked(resolve))
  // The job's head start passes.
  await knex('graphile_worker._private_jobs').update({ run_at: knex.fn.now() })
  await asked
  expect(followers.asked).toMatchObject([
    { part: 'profile.removeProviders', site, identifier, providers: ['search'], rebuild: true },
  ])
  await expect.poll(jobs, patience).toEqual([])
})

test('with nomerge it is ok while the profile service is away', async () => {
  const { bus } = harness
  const { identifier } = await on.create(['messaging', 'search'])
  await followers[Symbol.asyncDispose]()
  {
    await using _others = await serveFollowers(bus, ['providerAuth', 'friendship'])
    await on.unlink(identifier, ['search'], { nomerge: true })
  }
  followers = await serveFollowers(bus)
  expect(await jobs()).toEqual(['profile.removeProviders'])
})
