import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLogin, openIdentity, type SharedHarness } from './harness.ts'

let harness: SharedHarness
beforeAll(async () => {
  harness = await openIdentity()
})
afterAll(() => harness[Symbol.asyncDispose]())

const create = async (site: number, primaryKey?: string) => {
  const { user } = await harness.identity.createUser({ site, primary_key: primaryKey, links: [] }, harness.call())
  return user
}

test('users are listed in the order of creation, by page or after the last one, each once', async () => {
  const { identity, call, newSite } = harness
  const site = await newSite()
  const created: string[] = []
  for (let n = 0; n < 7; n++) created.push((await create(site)).identifier)
  const expected = created.toSorted()
  const page = (page: number) => identity.listUsers({ site, limit: 3, page }, call())
  expect(await page(0)).toMatchObject({ identifiers: expected.slice(0, 3), total: 7, more: true })
  expect(await page(1)).toMatchObject({ identifiers: expected.slice(3, 6), total: 7, more: true })
  expect(await page(2)).toMatchObject({ identifiers: expected.slice(6), total: 7, more: false })
  expect(await page(3)).toEqual({ identifiers: [], total: 7, more: false })
  const after = expected[2] ?? ''
  expect(await identity.listUsers({ site, limit: 4, after }, call())).toMatchObject({
    identifiers: expected.slice(3),
    total: 7,
    more: false,
  })
})

test('users are filtered by mapping, creation and last login, and the total is that of the filter', async () => {
  const { identity, call, newSite, knex } = harness
  const site = await newSite()
  const [old, mapped] = [await create(site), await create(site, 'm')]
  const { user: loggedIn } = await identity.recordLogin(newLogin(site), call())
  await knex('users')
    .where({ site, identifier: old.identifier })
    .update({ created_at: new Date(0) })
  const list = async (filter: object) => {
    const { identifiers, total } = await identity.listUsers({ site, limit: 100, ...filter }, call())
    expect(total).toBe(identifiers.length)
    return identifiers.toSorted()
  }
  const ids = (...users: { identifier: string }[]) => users.map(({ identifier }) => identifier).toSorted()
  const lately = Math.floor(Date.now() / 1_000) - 60
  expect(await list({})).toEqual(ids(old, mapped, loggedIn))
  expect(await list({ mapped: 'mapped_only' })).toEqual(ids(mapped))
  expect(await list({ mapped: 'not_mapped_only' })).toEqual(ids(old, loggedIn))
  expect(await list({ created_since: lately })).toEqual(ids(mapped, loggedIn))
  expect(await list({ logged_in_since: lately })).toEqual(ids(loggedIn))
  expect(await list({ logged_in_since: lately + 3_600 })).toEqual([])
  expect(await list({ created_since: lately, mapped: 'not_mapped_only' })).toEqual(ids(loggedIn))
})
