import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newIdentifier } from '#runtime'
import { faultMatching, type Harness, startIdentity } from './harness.ts'
import { serveRecipients, type TestRecipients } from './recipients.ts'
import { createUserActions, type UserActions } from './user-actions.ts'

let harness: Harness
let site: number
let on: UserActions
let recipients: TestRecipients
beforeAll(async () => {
  harness = await startIdentity()
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
const missing = faultMatching('entity_not_found')

test('links, logins and count move to the destination; the source is unknown', async () => {
  const [a, b] = [await on.create(['messaging', 'portal'], randomUUID()), await on.create(['search'], randomUUID())]
  for (const account of [...a.links, ...b.links]) await on.login(account)
  const [source, destination] = await Promise.all([on.resolve(a.identifier), on.resolve(b.identifier)])
  await on.merge(a.identifier, b.identifier)

  const merged = await on.resolve(b.identifier)
  expect(merged.user).toEqual({ ...destination.user, login_count: 3, created_at: source.user.created_at })
  expect(merged.links).toEqual(expect.arrayContaining([...source.links, ...destination.links]))
  expect(merged.links).toHaveLength(3)
  for (const ids of [{ identifier: a.identifier }, { primary_key: source.user.primary_key ?? '' }])
    await expect(harness.identity.resolveUser({ site, ...ids }, harness.call())).rejects.toMatchObject(missing)
  expect(await harness.knex('login_history').where({ site, identifier: b.identifier })).toHaveLength(3)
  for (const account of a.links)
    expect(await on.login(account)).toMatchObject({ created: false, user: { identifier: b.identifier } })
})

test('a destination without a primary_key gets the source’s, with its mapping time', async () => {
  const [a, b] = [await on.create([], randomUUID()), await on.create()]
  const { user } = await on.resolve(a.identifier)
  await on.merge(a.identifier, b.identifier)
  const { primary_key, mapped_at } = user
  expect((await on.resolve(b.identifier)).user).toMatchObject({ primary_key, mapped_at })
})

test('the destination has the later last login with its provider, and the earlier creation', async () => {
  const { knex } = harness
  for (const later of ['source', 'destination']) {
    const [a, b] = [await on.create(['messaging']), await on.create(['search'])]
    const [first, last] = later === 'source' ? [b, a] : [a, b]
    for (const user of [first, last]) await on.login(user.links[0] ?? on.account('portal'))
    await knex('users').where({ site, identifier: last.identifier }).update({ created_at: '2020-01-01T00:00:00Z' })
    const { user } = await on.resolve(last.identifier)
    await on.merge(a.identifier, b.identifier)
    const { last_logged_in_at, last_logged_in_provider } = user
    expect((await on.resolve(b.identifier)).user).toMatchObject({
      last_logged_in_at,
      last_logged_in_provider,
      login_count: 2,
      created_at: '2020-01-01T00:00:00Z',
    })
  }
})

test("a user without a login gets the other's last login", async () => {
  const [a, b] = [await on.create(['messaging']), await on.create(['search'])]
  const { user } = await on.login(a.links[0] ?? on.account('portal'))
  await on.merge(a.identifier, b.identifier)
  const { last_logged_in_at, last_logged_in_provider } = user
  expect((await on.resolve(b.identifier)).user).toMatchObject({ last_logged_in_at, last_logged_in_provider })
  const c = await on.create()
  await on.merge(c.identifier, b.identifier)
  expect((await on.resolve(b.identifier)).user).toMatchObject({ last_logged_in_at, last_logged_in_provider })
})

test('a login that is repeated after a merge counts once, for the destination', async () => {
  const [a, b] = [await on.create(['messaging']), await on.create()]
  const [account = on.account('portal')] = a.links
  const login = { site, login: randomUUID(), ...account }
  const { recorded_at } = await harness.identity.recordLogin(login, harness.call())
  await on.merge(a.identifier, b.identifier)
  expect(await harness.identity.recordLogin(login, harness.call())).toMatchObject({
    created: false,
    recorded_at,
    user: { identifier: b.identifier, login_count: 1 },
  })
})

test('links keep their IDs, and only the profile service receives the merge, with the moved links', async () => {
  const [a, b] = [await on.create(['messaging', 'portal']), await on.create(['search'])]
  const [{ links: moving }, { links: own }] = [await on.resolve(a.identifier), await on.resolve(b.identifier)]
  await on.merge(a.identifier, b.identifier)
  const users = { site, source: a.identifier, destination: b.identifier }
  const merge = { ...users, merged_at: expect.stringMatching(/\.\d{3}Z$/), combine: true }
  expect(recipients.received).toEqual([{ to: 'profile.mergeUsers', ...merge, link_ids: expect.any(Array) }])
  expect(recipients.received[0]?.link_ids).toHaveLength(2)
  expect(recipients.received[0]?.link_ids).toEqual(expect.arrayContaining(moving.map(({ link_id }) => link_id)))
  const { links } = await on.resolve(b.identifier)
  expect(links).toEqual(expect.arrayContaining([...moving, ...own]))
  await expect.poll(jobs).toEqual([])
})

test('operation_failed if both have an account of the same provider, and nothing is changed', async () => {
  const [a, b] = [await on.create(['messaging', 'portal'], randomUUID()), await on.create(['search', 'portal'])]
  const before = await Promise.all([on.resolve(a.identifier), on.resolve(b.identifier)])
  await expect(on.merge(a.identifier, b.identifier)).rejects.toMatchObject(faultMatching('operation_failed'))
  expect(await Promise.all([on.resolve(a.identifier), on.resolve(b.identifier)])).toEqual(before)
  expect(recipients.received).toEqual([])
  await expect.poll(jobs).toEqual([])
})

test('an account linked as search and search_legacy moves with both links, or not at all', async () => {
  const both = async () => {
    const { identifier, links } = await on.create(['search_legacy'])
    await on.login({ provider: 'search', provider_user_id: links[0]?.provider_user_id ?? '' })
    return identifier
  }
  const names = ['search', 'search_legacy']
  const [a, b] = [await both(), await on.create(['messaging'])]
  await on.merge(a, b.identifier)
  expect(await on.providersOf(b.identifier)).toEqual(['messaging', ...names])

  const c = await both()
  for (const other of ['search', 'search_legacy'] as const) {
    const { identifier } = await on.create([other])
    for (const [source, destination] of [[c, identifier] as const, [identifier, c] as const])
      await expect(on.merge(source, destination)).rejects.toMatchObject(faultMatching('operation_failed'))
    expect(await on.providersOf(identifier)).toEqual([other])
  }
  expect(await on.providersOf(c)).toEqual(names)
})

test('invalid_parameter for the same user, entity_not_found if either does not exist or is of another site', async () => {
  const { identifier } = await on.create(['messaging'])
  const elsewhere = await createUserActions(harness, await harness.newSite()).create()
  await expect(on.merge(identifier, identifier)).rejects.toMatchObject(faultMatching('invalid_parameter'))
  for (const other of [newIdentifier(), elsewhere.identifier]) {
    await expect(on.merge(identifier, other)).rejects.toMatchObject(missing)
    await expect(on.merge(other, identifier)).rejects.toMatchObject(missing)
  }
  expect(await on.providersOf(identifier)).toEqual(['messaging'])
  expect(recipients.received).toEqual([])
})

test('operation_failed while the profile service is unavailable, but merged; the job runs when it is back', async () => {
  const { bus, knex } = harness
  const [a, b] = [await on.create(['messaging']), await on.create(['search'])]
  await recipients[Symbol.asyncDispose]()
  {
    await using _others = await serveRecipients(bus, ['providerAuth', 'friendship'])
    // Its second attempt as well, which finds the users merged.
    const command = randomUUID()
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(on.merge(a.identifier, b.identifier, { command })).rejects.toMatchObject(
        faultMatching('operation_failed'),
      )
  }
  expect(await on.providersOf(b.identifier)).toEqual(['messaging', 'search'])
  expect(await jobs()).toEqual(['profile.mergeUsers'])

  recipients = await serveRecipients(bus)
  // The job's head start passes.
  await knex('jobs').update({ run_at: knex.fn.now() })
  const users = { site, source: a.identifier, destination: b.identifier }
  await expect.poll(() => recipients.received).toMatchObject([{ to: 'profile.mergeUsers', ...users, combine: true }])
  await expect.poll(jobs).toEqual([])
})

test('with nomerge it succeeds while the profile service is not running, and the job remains', async () => {
  const { bus } = harness
  const [a, b] = [await on.create(), await on.create()]
  await recipients[Symbol.asyncDispose]()
  await on.merge(a.identifier, b.identifier, { nomerge: true })
  recipients = await serveRecipients(bus)
  expect(await jobs()).toEqual(['profile.mergeUsers'])
})
