import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type BusClient, createClient } from '#bus'
import { type Provider, profileContract } from '#contracts'
import type { RunningService } from '#runtime'
import { passClockSteps } from '#testing'
import { cloneDatabase } from '../../../testing/databases.ts'
import { profile as profileService } from '../../../testing/services.ts'
import { startForTest } from '../../../testing/start-for-test.ts'
import { faultMatching, type Harness, startIdentity } from './harness.ts'
import { serveRecipients, type TestRecipients } from './recipients.ts'
import { createUserActions, outcomeOf, type UserActions } from './user-actions.ts'

let harness: Harness
let site: number
let on: UserActions
let others: TestRecipients
let profile: BusClient<typeof profileContract>
let running: RunningService<void>
let startProfile: () => Promise<RunningService<void>>
beforeAll(async () => {
  harness = await startIdentity()
  await harness.startReplica()
  site = await harness.newSite()
  on = createUserActions(harness, site)
  others = await serveRecipients(harness.bus, ['providerAuth', 'friendship'])
  profile = createClient(harness.bus, profileContract, new Registry())
  const environment = {
    DATABASE_URL: await cloneDatabase(inject('postgres_url'), 'profile'),
    ENCRYPTION_KEYS: inject('encryption_keys'),
    NATS_URL: harness.nats.url,
  }
  startProfile = () => startForTest('profile', profileService, environment)
  running = await startProfile()
})
afterAll(async () => {
  await running.stop()
  await others[Symbol.asyncDispose]()
  await harness[Symbol.asyncDispose]()
})

type Account = { provider: Provider; provider_user_id: string }

/** A complete login: identity records it, then the profile service stores the provider's data. */
async function logIn(account: Account) {
  const { user, link_id, recorded_at } = await on.login(account)
  const { identifier } = user
  const { provider } = account
  const email = [{ email: `${provider}@example.com`, verified: true }]
  const data = { profile: { full_name: provider }, follow: null, email, phone: [] }
  const obtained = { site, identifier, link_id, provider, data, obtained_at: recorded_at }
  await profile.recordProviderData(obtained, harness.call())
  return identifier
}

/** The providers whose data is in a user's profile. */
const dataOf = async (identifier: string) => {
  const { email } = await profile.readProfile({ site, identifier }, harness.call())
  return email.map(({ media_id }) => media_id).toSorted()
}
const nameOf = async (identifier: string) =>
  (await profile.readProfile({ site, identifier }, harness.call())).profile.full_name
/** Runs the jobs of requests that failed or were answered before everything was done. */
async function finishJobs(): Promise<void> {
  await harness.knex('jobs').update({ run_at: harness.knex.fn.now() })
  await expect.poll(() => harness.knex('jobs').pluck('task')).toEqual([])
}

test('a merge and an unlink are in the profile when they return', async () => {
  const [a, b] = [await logIn(on.account('search')), await logIn(on.account('messaging'))]
  await on.merge(a, b)
  expect(await dataOf(a)).toEqual([])
  expect(await dataOf(b)).toEqual(['messaging', 'search'])
  await on.unlink(b, ['messaging'])
  expect(await dataOf(b)).toEqual(['search'])
  expect(await nameOf(b)).toBe('search')
})

test('after unlinking, linking and logging in again within a second, the new data is stored', async () => {
  const identifier = await logIn(on.account('messaging'))
  for (let round = 0; round < 5; round++) {
    const account = on.account('search')
    await on.link(identifier, account)
    await logIn(account)
    await on.unlink(identifier, ['search'])
    expect(await dataOf(identifier)).toEqual(['messaging'])
    await on.link(identifier, account)
    await logIn(account)
    expect(await dataOf(identifier)).toEqual(['messaging', 'search'])
    await on.unlink(identifier, ['search'])
  }
})

test('a recombination during an outage of the profile service completes when it is back', async () => {
  const [account, other] = [on.account('messaging'), on.account('search')]
  const [a, b] = [await logIn(account), await logIn(other)]
  await running.stop()
  await expect(on.merge(a, b)).rejects.toMatchObject(faultMatching('operation_failed'))
  await expect(on.unlink(b, ['search'])).rejects.toMatchObject(faultMatching('operation_failed'))
  running = await startProfile()
  expect(await nameOf(b)).toBe('search')

  await finishJobs()
  expect(await dataOf(b)).toEqual(['messaging'])
  expect(await nameOf(b)).toBe('messaging')
  expect(await dataOf(a)).toEqual([])
})

test('logins while their users are merged leave all data with the destination', async () => {
  for (let round = 0; round < 5; round++) {
    const accounts = (['messaging', 'search', 'portal', 'social'] as const).map((name) => on.account(name))
    const users = await Promise.all(accounts.map(logIn))
    const [a = '', b = '', c = '', d = ''] = users
    await Promise.all([
      ...accounts.map(logIn),
      outcomeOf(on.merge(a, b)).then(() => on.merge(b, d)),
      outcomeOf(on.merge(c, d)),
      ...accounts.map(logIn),
    ])
    expect(await dataOf(d)).toEqual(['messaging', 'portal', 'search', 'social'])
    for (const gone of [a, b, c]) expect(await dataOf(gone)).toEqual([])
  }
})

test('after any concurrent changes, no data remains of unlinked providers or deleted users', async () => {
  const names = ['messaging', 'search', 'portal'] as const
  for (let round = 0; round < 10; round++) {
    const accounts = names.map((name) => on.account(name, randomUUID()))
    const [a = '', b = '', c = ''] = await Promise.all(accounts.map(logIn))
    await Promise.all(
      [
        ...accounts.map(logIn),
        on.merge(a, b),
        on.unlink(a, ['messaging'], { nowarn: true }),
        on.unlink(b, ['search', 'messaging'], { nowarn: true }),
        on.unlink(b, ['search'], { nowarn: true }),
        on.merge(b, c),
        ...accounts.map(logIn),
        on.remove(round % 2 ? c : a),
      ].map(outcomeOf),
    )
    await finishJobs()
    const holders = await harness
      .knex('links')
      .where({ site })
      .whereIn(
        'provider_user_id',
        accounts.map((account) => account.provider_user_id),
      )
    for (const identifier of new Set([a, b, c, ...holders.map((link) => link.identifier)])) {
      const linked = holders.filter((link) => link.identifier === identifier).map((link) => link.provider)
      for (const provider of await dataOf(identifier)) expect(linked).toContain(provider)
    }
  }
})

test('excluded fields reach the profile service, even after an outage', async () => {
  const { identity, call } = harness
  const { identifier } = await on.create()
  const { link_id } = (await on.link(identifier, on.account('search'))).link
  const subject = { site, identifier }
  const data = { profile: { bio: 'Hello' }, follow: null, email: [], phone: [] }
  const record = () =>
    profile.recordProviderData(
      { ...subject, link_id, provider: 'search', data, obtained_at: new Date().toISOString() },
      call(),
    )
  const bio = async () => (await profile.readProfile(subject, call())).profile.bio
  await record()
  expect(await bio()).toBe('Hello')
  await running.stop()
  await identity.changeSite({ site, profile_not_stored: { search: ['bio'] } }, call())
  running = await startProfile()
  await harness.knex('jobs').update({ run_at: harness.knex.fn.now() })
  await expect.poll(bio).toBeNull()
  await passClockSteps()
  await record()
  expect(await bio()).toBeNull()
  await identity.changeSite({ site, profile_not_stored: {} }, call())
  await passClockSteps()
  await record()
  expect(await bio()).toBe('Hello')
})
