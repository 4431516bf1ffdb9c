import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#contracts'
import { deleteExpiredErasures } from '../store/expired-erasures.ts'
import { newLogin, openIdentity, type SharedHarness } from './harness.ts'

let harness: SharedHarness
beforeAll(async () => {
  harness = await openIdentity()
})
afterAll(() => harness[Symbol.asyncDispose]())

/** A site with deleted users, the first deleted first. */
async function siteWithDeletedUsers(users: number) {
  const { identity, call, newSite } = harness
  const site = await newSite()
  const identifiers: string[] = []
  for (let user = 0; user < users; user++) {
    const { identifier } = (await identity.recordLogin(newLogin(site), call())).user
    await identity.deleteUser({ site, identifier, requested_by: 'admin_api' }, call())
    identifiers.push(identifier)
  }
  return { site, identifiers }
}

/** The pages of the list, each as its identifiers. */
async function readPages(site: number, limit: number): Promise<string[][]> {
  const { identity, call } = harness
  const pages: string[][] = []
  for (let after: { deleted_at: string; identifier: string } | undefined; ; ) {
    const { erasures, next } = await identity.listErasures({ site, after, limit }, call())
    pages.push(erasures.map(({ identifier }) => identifier))
    if (next === null) return pages
    after = next
  }
}

test('pages list each deletion once, the latest first, also those of one moment', async () => {
  const { site, identifiers } = await siteWithDeletedUsers(5)
  const latestFirst = identifiers.toReversed()
  expect(await readPages(site, 2)).toEqual([latestFirst.slice(0, 2), latestFirst.slice(2, 4), latestFirst.slice(4)])

  const { knex } = harness
  const { deleted_at } = await knex('erasures').where({ site }).first('deleted_at')
  for (const table of ['erasure_parts', 'erasures']) await knex(table).where({ site }).update({ deleted_at })
  const byIdentifier = identifiers.toSorted().toReversed()
  expect(await readPages(site, 2)).toEqual([byIdentifier.slice(0, 2), byIdentifier.slice(2, 4), byIdentifier.slice(4)])
  expect(await readPages(site, 5)).toEqual([byIdentifier, []])
})

test('a receipt is deleted with its parts after the days that it is kept, and no other', async () => {
  const { site, identifiers } = await siteWithDeletedUsers(2)
  const { knex } = harness
  const [expired = '', kept = ''] = identifiers
  const backdate = async (identifier: string, days: number) => {
    const deletedAt = knex.raw("date_trunc('milliseconds', now()) - make_interval(days => ?)", [days])
    for (const table of ['erasure_parts', 'erasures'])
      await knex(table).where({ site, identifier }).update({ deleted_at: deletedAt })
  }
  await backdate(expired, limits.erasure_receipt_days + 1)
  await backdate(kept, limits.erasure_receipt_days - 1)
  await deleteExpiredErasures(knex)
  for (const table of ['erasures', 'erasure_parts'])
    expect(new Set(await knex(table).where({ site }).pluck('identifier'))).toEqual(new Set([kept]))
})
