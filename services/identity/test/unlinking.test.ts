import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newIdentifier } from '#runtime'
import { faultMatching, type Harness, startIdentity } from './harness.ts'
import { serveRecipients, type TestRecipients } from './recipients.ts'
import { createUserActions, outcomeOf, type UserActions } from './user-actions.ts'

let harness: Harness
let site: number
let on: UserActions
let recipients: TestRecipients
beforeAll(async () => {
  harness = await startIdentity()
  await harness.startReplica()
  site = await harness.newSite()
  on = createUserActions(harness, site)
  recipients = await serveRecipients(harness.bus)
})
afterAll(async () => {
  await recipients[Symbol.asyncDispose]()
  await harness[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await harness.settle()
  recipients.received.length = 0
})

const jobs = () => harness.knex('jobs').pluck('task')

test('providers are unlinked, and every other service receives their links', async () => {
  const { identifier, links } = await on.create(['messaging', 'search', 'portal'])
  const ids = new Map((await on.resolve(identifier)).links.map(({ provider, link_id }) => [provider, link_id]))
  const { unlinked } = await on.unlink(identifier, ['messaging', 'portal'])
  expect(unlinked).toEqual(['messaging', 'portal'])
  expect(await on.providersOf(identifier)).toEqual(['search'])
  const linkIds = expect.toSatisfy(
    (given: string[]) => given.toSorted().join() === [ids.get('messaging'), ids.get('portal')].toSorted().join(),
  )
  const deleted = { site, identifier, link_ids: linkIds, deleted_at: expect.stringMatching(/T\d\d:\d\d:\d\d\.\d{3}Z$/) }
  expect(recipients.received.toSorted((a, b) => a.to.localeCompare(b.to))).toEqual([
    { to: 'friendship.deleteLinks', site, link_ids: linkIds },
    { to: 'profile.deleteLinks', ...deleted, profile: 'combine' },
    { to: 'providerAuth.deleteLinks', ...deleted },
  ])
  await expect.poll(jobs).toEqual([])
  expect(await on.login(links[0] ?? on.account('messaging'))).toMatchObject({ created: true })
})

test('the combined profile is unchanged with nomerge', async () => {
  const { identifier } = await on.create(['messaging', 'search'])
  await on.unlink(identifier, ['search'], { nomerge: true })
  expect(recipients.received).toContainEqual(expect.objectContaining({ to: 'profile.deleteLinks', profile: 'keep' }))
})

test('an account that is linked again has a new link', async () => {
  const { identifier } = await on.create(['messaging'])
  const account = on.account('search')
  const { link: former } = await on.link(identifier, account)
  await on.unlink(identifier, ['search'])
  expect((await on.link(identifier, account)).link.link_id).not.toBe(former.link_id)
})

test('a repeated provider is unlinked once', async () => {
  const { identifier } = await on.create(['messaging', 'search'])
  expect(await on.unlink(identifier, ['search', 'search'])).toEqual({ unlinked: ['search'] })
})

test('entity_not_found, provider_not_linked, last_provider, in this order, and nothing is unlinked', async () => {
  const { identifier } = await on.create(['messaging', 'search'])
  await expect(on.unlink(newIdentifier(), ['portal'])).rejects.toMatchObject(faultMatching('entity_not_found'))
  for (const providers of [['portal' as const], ['messaging' as const, 'search' as const, 'portal' as const]])
    await expect(on.unlink(identifier, providers)).rejects.toMatchObject(faultMatching('provider_not_linked'))
  await expect(on.unlink(identifier, ['search', 'messaging'])).rejects.toMatchObject(faultMatching('last_provider'))
  expect(await on.providersOf(identifier)).toEqual(['messaging', 'search'])
  expect(recipients.received).toEqual([])
})

test('the last provider is unlinked with nowarn', async () => {
  const { identifier } = await on.create(['messaging', 'search'])
  await on.unlink(identifier, ['search', 'messaging'], { nowarn: true })
  expect(await on.providersOf(identifier)).toEqual([])
})

test('of two requests that concurrently unlink one each of the last two providers exactly one succeeds', async () => {
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

test('of fifty requests that unlink one provider concurrently exactly one succeeds', async () => {
  const { identifier } = await on.create(['messaging', 'search'])
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(on.unlink(identifier, ['search']))))
  expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'provider_not_linked')).toHaveLength(49)
})

test('the times of a login, an unlink and the login after a new link are in order', async () => {
  const { identifier } = await on.create(['messaging'])
  const account = on.account('search')
  const linked = await on.link(identifier, account)
  const before = await on.login(account)
  await on.unlink(identifier, ['search'])
  const [deletion] = recipients.received.filter(({ to }) => to === 'profile.deleteLinks')
  const again = await on.link(identifier, account)
  const after = await on.login(account)
  const moments = [
    linked.recorded_at,
    before.recorded_at,
    String(deletion?.deleted_at),
    again.recorded_at,
    after.recorded_at,
  ]
  expect(moments).toEqual(moments.toSorted())
  expect(new Set(moments).size).toBe(moments.length)
})

test('operation_failed while the profile service is unavailable, but unlinked; the job runs when it is back', async () => {
  const { bus, knex } = harness
  const { identifier } = await on.create(['messaging', 'search'])
  await recipients[Symbol.asyncDispose]()
  {
    await using _others = await serveRecipients(bus, ['providerAuth', 'friendship'])
    // Its second attempt as well, which finds the providers unlinked.
    const command = randomUUID()
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(on.unlink(identifier, ['search'], { command })).rejects.toMatchObject(
        faultMatching('operation_failed'),
      )
  }
  expect(await on.providersOf(identifier)).toEqual(['messaging'])
  expect(await jobs()).toEqual(['profile.deleteLinks'])

  recipients = await serveRecipients(bus)
  // The job's head start passes.
  await knex('jobs').update({ run_at: knex.fn.now() })
  const message = { to: 'profile.deleteLinks', site, identifier, profile: 'combine' }
  await expect.poll(() => recipients.received).toMatchObject([message])
  await expect.poll(jobs).toEqual([])
})

test('with nomerge it succeeds while the profile service is unavailable', async () => {
  const { bus } = harness
  const { identifier } = await on.create(['messaging', 'search'])
  await recipients[Symbol.asyncDispose]()
  {
    await using _others = await serveRecipients(bus, ['providerAuth', 'friendship'])
    await on.unlink(identifier, ['search'], { nomerge: true })
    await expect.poll(jobs).toEqual(['profile.deleteLinks'])
  }
  recipients = await serveRecipients(bus)
})
