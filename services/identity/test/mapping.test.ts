import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIdentifier } from '#runtime'
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

test('map sets primary_key and mapped_at; the same value again is ok and changes nothing', async () => {
  const { identity, call } = harness
  const { identifier } = await create()
  const primaryKey = randomUUID()
  await identity.mapPrimaryKey({ site, identifier, primary_key: primaryKey, overwrite: false }, call())
  const mapped = await identity.resolveUser({ site, identifier, primary_key: primaryKey }, call())
  expect(mapped.user.mapped_at).toMatch(/Z$/)
  await identity.mapPrimaryKey({ site, identifier, primary_key: primaryKey, overwrite: false }, call())
  expect(await identity.resolveUser({ site, identifier }, call())).toEqual(mapped)
})

test('already_mapped when the user has another primary_key and overwrite is not true; with overwrite it is replaced', async () => {
  const { identity, call } = harness
  const [first, second] = [randomUUID(), randomUUID()]
  const { identifier } = await create({ primary_key: first })
  const map = (overwrite: boolean) =>
    identity.mapPrimaryKey({ site, identifier, primary_key: second, overwrite }, call())
  await expect(map(false)).rejects.toMatchObject(faultMatching('already_mapped'))
  expect(await identity.resolveUser({ site, primary_key: first }, call())).toMatchObject({ user: { identifier } })
  await map(true)
  expect(await identity.resolveUser({ site, primary_key: second }, call())).toMatchObject({ user: { identifier } })
  await expect(identity.resolveUser({ site, primary_key: first }, call())).rejects.toMatchObject(
    faultMatching('entity_not_found'),
  )
})

test('duplicated_primary_key before already_mapped when the value belongs to another user, with or without overwrite', async () => {
  const { identity, call } = harness
  const primaryKey = randomUUID()
  await create({ primary_key: primaryKey })
  const { identifier } = await create({ primary_key: randomUUID() })
  for (const overwrite of [false, true]) {
    await expect(
      identity.mapPrimaryKey({ site, identifier, primary_key: primaryKey, overwrite }, call()),
    ).rejects.toMatchObject(faultMatching('duplicated_primary_key'))
  }
})

test('of fifty users mapped to one value concurrently exactly one gets it', async () => {
  const { identity, call } = harness
  const primaryKey = randomUUID()
  const users = await Promise.all(Array.from({ length: 50 }, () => create()))
  const outcomes = await Promise.allSettled(
    users.map(({ identifier }) =>
      identity.mapPrimaryKey({ site, identifier, primary_key: primaryKey, overwrite: true }, call()),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(faultMatching('duplicated_primary_key'))
})

test('users who swap their values concurrently get faults or succeed, and stay consistent', async () => {
  const { identity, call } = harness
  const [a, b] = [await create({ primary_key: randomUUID() }), await create({ primary_key: randomUUID() })]
  const outcomes = await Promise.allSettled([
    identity.mapPrimaryKey(
      { site, identifier: a.identifier, primary_key: b.primary_key ?? '', overwrite: true },
      call(),
    ),
    identity.mapPrimaryKey(
      { site, identifier: b.identifier, primary_key: a.primary_key ?? '', overwrite: true },
      call(),
    ),
  ])
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(faultMatching('duplicated_primary_key'))
})

test('unmap frees the value and is idempotent', async () => {
  const { identity, call } = harness
  const primaryKey = randomUUID()
  const { identifier } = await create({ primary_key: primaryKey })
  await identity.unmapPrimaryKey({ site, identifier }, call())
  await identity.unmapPrimaryKey({ site, identifier }, call())
  expect(await identity.resolveUser({ site, identifier }, call())).toMatchObject({
    user: { primary_key: null, mapped_at: null },
  })
  await create({ primary_key: primaryKey })
})

test('entity_not_found if the user to map or unmap does not exist', async () => {
  const { identity, call } = harness
  const identifier = newIdentifier()
  const missing = faultMatching('entity_not_found')
  const primaryKey = randomUUID()
  await expect(
    identity.mapPrimaryKey({ site, identifier, primary_key: primaryKey, overwrite: true }, call()),
  ).rejects.toMatchObject(missing)
  await expect(identity.unmapPrimaryKey({ site, identifier }, call())).rejects.toMatchObject(missing)
})
