import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIdentifier } from '#runtime'
import { faultMatching, openIdentity, type SharedHarness } from './harness.ts'
import { createUserActions, type UserActions } from './user-actions.ts'

let harness: SharedHarness
let site: number
let on: UserActions
beforeAll(async () => {
  harness = await openIdentity()
  site = await harness.newSite()
  on = createUserActions(harness, site)
})
afterAll(() => harness[Symbol.asyncDispose]())

const find = async (id: string, where = site) =>
  (await harness.identity.findUsers({ site: where, id }, harness.call())).users.map(({ identifier }) => identifier)

test('a user is found by the exact identifier, primary_key and ID of each provider account', async () => {
  const primaryKey = randomUUID()
  const { identifier, links } = await on.create(['messaging', 'device'], primaryKey)
  for (const id of [identifier, primaryKey, ...links.map(({ provider_user_id }) => provider_user_id)]) {
    expect(await find(id)).toEqual([identifier])
    expect(await find(id.slice(1))).toEqual([])
    expect(await find(id, await harness.newSite())).toEqual([])
  }
})

test('an ID of several users finds each once', async () => {
  const one = await on.create([])
  const shared = one.identifier
  const other = await harness.identity.createUser(
    { site, primary_key: shared, links: [{ provider: 'portal', provider_user_id: shared }] },
    harness.call(),
  )
  expect(await find(shared)).toEqual([one.identifier, other.user.identifier].toSorted())
})

test('users are returned in the requested order, without unknown ones', async () => {
  const [a, b] = [await on.create(), await on.create()]
  const identifiers = [b.identifier, newIdentifier(), a.identifier]
  const { users } = await harness.identity.readUsers({ site, identifiers }, harness.call())
  expect(users.map(({ identifier }) => identifier)).toEqual([b.identifier, a.identifier])
})

test('logins are returned newest first, up to the limit', async () => {
  const { identifier, links } = await on.create(['messaging', 'portal', 'search'])
  for (const account of links) await on.login(account)
  const logins = async (limit: number) =>
    (await harness.identity.listLogins({ site, identifier, limit }, harness.call())).logins.map(
      ({ provider }) => provider,
    )
  expect(await logins(10)).toEqual(['search', 'portal', 'messaging'])
  expect(await logins(2)).toEqual(['search', 'portal'])
})

test.each([
  { of: 'both mapped, the source logged in last', mapped: [true, true], logged_in: ['destination', 'source'] },
  {
    of: 'only the source mapped, the destination logged in last',
    mapped: [true, false],
    logged_in: ['source', 'destination'],
  },
  { of: 'neither mapped nor logged in', mapped: [false, false], logged_in: [] },
] as const)('a preview of a merge is equal to the result of the merge: $of', async ({ mapped, logged_in }) => {
  const source = await on.create(['messaging', 'device'], mapped[0] ? randomUUID() : undefined)
  const destination = await on.create(['search'], mapped[1] ? randomUUID() : undefined)
  for (const who of logged_in)
    await on.login((who === 'source' ? source : destination).links[0] ?? on.account('portal'))
  const pair = { source: source.identifier, destination: destination.identifier }
  const change = { site, replace: false, command: randomUUID() }
  const ofSource = { identifier: pair.source, user_metadata: { a: 1, b: 1 }, app_metadata: { plan: 'free' } }
  await harness.identity.changeMetadata({ ...change, ...ofSource }, harness.call())
  const ofDestination = { identifier: pair.destination, user_metadata: { b: 2 } }
  await harness.identity.changeMetadata({ ...change, ...ofDestination, command: randomUUID() }, harness.call())
  for (const [document, version, of] of [
    ['terms', 2, pair.source],
    ['terms', 1, pair.destination],
    ['newsletter', 1, pair.source],
  ] as const) {
    const answers = [{ document, version, accepted: true }]
    await harness.identity.recordConsents({ site, identifier: of, answers, command: randomUUID() }, harness.call())
  }
  const before = await Promise.all([on.resolve(pair.source), on.resolve(pair.destination)])
  const preview = await harness.identity.previewMerge({ site, ...pair }, harness.call())
  expect(await Promise.all([on.resolve(pair.source), on.resolve(pair.destination)])).toEqual(before)
  expect(preview).toMatchObject({ conflict: null, source: before[0].user, destination: before[1].user })
  expect(preview.moved.toSorted((a, b) => a.provider.localeCompare(b.provider))).toEqual(
    before[0].links.toSorted((a, b) => a.provider.localeCompare(b.provider)),
  )
  await on.merge(pair.source, pair.destination)
  const { metadata, consents, ...merged } = preview.merged
  expect(merged).toEqual(await on.resolve(pair.destination))
  expect(metadata?.user_metadata).toEqual({ a: 1, b: 2 })
  const name = { site, identifier: pair.destination }
  expect(await harness.identity.readMetadata(name, harness.call())).toMatchObject({ ...metadata })
  expect(await harness.identity.readConsents(name, harness.call())).toMatchObject({ consents })
  expect(consents).toHaveLength(2)
})

test('a preview returns the conflict because of which the merge fails', async () => {
  const [a, b] = [await on.create(['messaging']), await on.create(['messaging'])]
  const { identity, call } = harness
  const preview = (source: string, destination: string) => identity.previewMerge({ site, source, destination }, call())
  expect(await preview(a.identifier, b.identifier)).toMatchObject({ conflict: 'shared_provider', moved: [] })
  await expect(on.merge(a.identifier, b.identifier)).rejects.toMatchObject(faultMatching('operation_failed'))
  expect(await preview(a.identifier, a.identifier)).toMatchObject({ conflict: 'same_user', moved: [] })
  await expect(preview(a.identifier, newIdentifier())).rejects.toMatchObject(faultMatching('entity_not_found'))
})
