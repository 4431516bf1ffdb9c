import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const exists = async (identifier: string) => (await outcomeOf(on.resolve(identifier))) === 'ok'
const counted = (outcomes: string[]) =>
  Object.fromEntries(
    Map.groupBy(outcomes, (one) => one)
      .entries()
      .map(([one, all]) => [one, all.length]),
  )

test('of concurrent merges of A into B and B into A, for many pairs, exactly one succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    const pairs = await Promise.all(
      Array.from({ length: 10 }, async () => [await on.create(['messaging']), await on.create(['search'])] as const),
    )
    await Promise.all(
      pairs.map(async ([a, b]) => {
        const outcomes = await Promise.all([
          outcomeOf(on.merge(a.identifier, b.identifier)),
          outcomeOf(on.merge(b.identifier, a.identifier)),
        ])
        expect(outcomes.toSorted()).toEqual(['entity_not_found', 'ok'])
        const [survivor, gone] = outcomes[0] === 'ok' ? [b, a] : [a, b]
        expect(await on.providersOf(survivor.identifier)).toEqual(['messaging', 'search'])
        expect(await exists(gone.identifier)).toBe(false)
      }),
    )
  }
})

test('of fifty concurrent merges of A into B exactly one succeeds', async () => {
  const [a, b] = [await on.create(['messaging']), await on.create(['search'])]
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(on.merge(a.identifier, b.identifier))))
  expect(counted(outcomes)).toEqual({ ok: 1, entity_not_found: 49 })
  expect(await on.providersOf(b.identifier)).toEqual(['messaging', 'search'])
})

test('of fifty users merged into one concurrently, two per provider, one of each is merged', async () => {
  const names = ['messaging', 'portal', 'social', 'device', 'microblog'] as const
  const destination = await on.create(['search'])
  const sources = await Promise.all(Array.from({ length: 50 }, (_, n) => on.create([names[n % 5] ?? 'portal'])))
  const outcomes = await Promise.all(
    sources.map(({ identifier }) => outcomeOf(on.merge(identifier, destination.identifier))),
  )
  expect(counted(outcomes)).toEqual({ ok: 5, operation_failed: 45 })
  expect(await on.providersOf(destination.identifier)).toEqual([...names, 'search'].toSorted())
})

test('during a merge, reads return both users unchanged or the complete destination, nothing in between', async () => {
  for (let round = 0; round < 5; round++) {
    const [a, b] = [await on.create(['messaging', 'portal']), await on.create(['search'])]
    const readUsers = async () => {
      const source = await on.providersOf(a.identifier).catch((error: unknown) => {
        expect(error).toMatchObject(faultMatching('entity_not_found'))
        return undefined
      })
      return { source, destination: await on.providersOf(b.identifier) }
    }
    const looks = Array.from({ length: 20 }, readUsers)
    const [seen] = await Promise.all([Promise.all(looks), on.merge(a.identifier, b.identifier)])
    for (const { source, destination } of [...seen, await readUsers()]) {
      if (source !== undefined) expect(source).toEqual(['messaging', 'portal'])
      // The source was read first: if it is deleted, the destination has everything.
      if (source === undefined || destination.length > 1) expect(destination).toEqual(['messaging', 'portal', 'search'])
      else expect(destination).toEqual(['search'])
    }
    expect((await readUsers()).source).toBeUndefined()
  }
})

test('a concurrent merge and deletion of either user have a consistent outcome', async () => {
  for (let round = 0; round < 20; round++) {
    const [a, b] = [await on.create(['messaging']), await on.create(['search'])]
    const deleted = round % 2 ? a : b
    const [merged, removed] = await Promise.all([
      outcomeOf(on.merge(a.identifier, b.identifier)),
      outcomeOf(on.remove(deleted.identifier)),
    ])
    const there = [await exists(a.identifier), await exists(b.identifier)]
    const [account = on.account('portal')] = a.links
    if (deleted === a) {
      // Either the deletion or the merge came first.
      expect([merged, removed].toSorted()).toEqual(['entity_not_found', 'ok'])
      expect(there).toEqual([false, true])
      expect(await on.providersOf(b.identifier)).toEqual(merged === 'ok' ? ['messaging', 'search'] : ['search'])
    } else {
      expect(removed).toBe('ok')
      expect(there).toEqual(merged === 'ok' ? [false, false] : [true, false])
      expect(await on.login(account)).toMatchObject({ created: merged === 'ok' })
    }
  }
})

test('logins while their user is merged along a chain all count, and none creates another user', async () => {
  const { knex } = harness
  const users = await Promise.all(
    (['messaging', 'portal', 'search', 'social'] as const).map((name) => on.create([name])),
  )
  const [a, b, c, d] = users.map(({ identifier }) => identifier)
  if (!a || !b || !c || !d) throw new Error('four users')
  const accounts = users.flatMap(({ links }) => links)
  const logins = Promise.all(Array.from({ length: 60 }, (_, n) => on.login(accounts[n % 4] ?? on.account('device'))))
  for (const [source, destination] of [[a, b] as const, [b, c] as const, [c, d] as const])
    await on.merge(source, destination)
  for (const { created } of await logins) expect(created).toBe(false)
  expect((await on.resolve(d)).user.login_count).toBe(60)
  expect(await knex('login_history').where({ site, identifier: d })).toHaveLength(60)
})

test('a login that waits for a merge of its user counts for the destination', async () => {
  const { knex, waitingForLocks } = harness
  const users = [await on.create(['messaging']), await on.create(['search'])]
  // The merge locks the source while it waits for the destination.
  const [a, b] = users.toSorted((one, other) => (one.identifier < other.identifier ? -1 : 1))
  if (!a || !b) throw new Error('two users')
  const holding = await knex.transaction()
  await holding('users').where({ site, identifier: b.identifier }).forUpdate()
  const merging = outcomeOf(on.merge(a.identifier, b.identifier))
  await expect.poll(waitingForLocks).toBe(1)
  const login = on.login(a.links[0] ?? on.account('portal'))
  await expect.poll(waitingForLocks).toBe(2)
  await holding.commit()
  expect(await merging).toBe('ok')
  const { created, user } = await login
  expect(created).toBe(false)
  expect(user.identifier).toBe(b.identifier)
  expect((await on.resolve(b.identifier)).user.login_count).toBe(1)
})

test('mapping, unmapping, linking and unlinking two users during a merge succeed or get faults, but never a deadlock', async () => {
  const { identity, call } = harness
  for (let round = 0; round < 10; round++) {
    const [a, b] = [await on.create(['messaging', 'portal'], randomUUID()), await on.create(['search'])]
    const primaryKey = randomUUID()
    const map = (identifier: string) =>
      identity.mapPrimaryKey({ site, identifier, primary_key: primaryKey, overwrite: true }, call())
    const outcomes = await Promise.all(
      [
        on.merge(a.identifier, b.identifier),
        map(a.identifier),
        map(b.identifier),
        identity.unmapPrimaryKey({ site, identifier: a.identifier }, call()),
        on.link(a.identifier, on.account('social')),
        on.link(b.identifier, on.account('device')),
        on.unlink(a.identifier, ['portal']),
        on.merge(b.identifier, a.identifier),
      ].map(outcomeOf),
    )
    const known = ['ok', 'entity_not_found', 'duplicated_primary_key', 'provider_not_linked']
    for (const outcome of outcomes) expect(known).toContain(outcome)
    const there = [await exists(a.identifier), await exists(b.identifier)]
    expect(there.filter(Boolean)).toHaveLength(1)
  }
})
