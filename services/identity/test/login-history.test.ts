import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteOldLogins, selectRetentions } from '../store/login-history.ts'
import { newLogin, newSlug, openIdentity, type SharedHarness } from './harness.ts'

let harness: SharedHarness
beforeAll(async () => {
  harness = await openIdentity()
})
afterAll(() => harness[Symbol.asyncDispose]())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

async function deleteLogins() {
  for (const retention of await selectRetentions(harness.knex)) await deleteOldLogins(harness.knex, retention, 1_000)
}

/** A site with this retention, and a user who logged in at these times and now. */
async function siteWith(loginHistoryDays: number | null | undefined, ages: readonly number[]) {
  const { identity, call, knex } = harness
  const account = newSlug()
  await identity.createAccount({ account, name: 'A customer' }, call())
  const { site } = await identity.createSite(
    { account, site_id: 'shop', name: 'Shop', kind: 'production', login_history_days: loginHistoryDays },
    call(),
  )
  const { user } = await identity.recordLogin(newLogin(site), call())
  const { identifier } = user
  const old = { site, identifier, provider: 'messaging', created_user: false }
  await knex('login_history').insert(ages.map((age) => ({ ...old, login: randomUUID(), at: daysAgo(age) })))
  const readRemaining = async () => {
    const { logins } = await identity.listLogins({ site, identifier, limit: 100 }, call())
    return logins.map(({ logged_in_at }) => Math.round((Date.now() - Date.parse(logged_in_at)) / 86_400_000))
  }
  return { site, identifier, left: readRemaining }
}

test('logins are deleted after their site’s retention, not before, and never without a retention', async () => {
  const { identity, call } = harness
  const month = await siteWith(30, [400, 31, 29, 1])
  const year = await siteWith(365, [400, 364])
  const always = await siteWith(undefined, [3_000])
  await deleteLogins()
  expect(await month.left()).toEqual([0, 1, 29])
  expect(await year.left()).toEqual([0, 364])
  expect(await always.left()).toEqual([0, 3_000])
  const { user } = await identity.resolveUser({ site: month.site, identifier: month.identifier }, call())
  expect(user).toMatchObject({ login_count: 1, last_logged_in_at: expect.any(String) })

  await identity.changeSite({ site: year.site, login_history_days: null }, call())
  await identity.changeSite({ site: always.site, login_history_days: 10 }, call())
  await deleteLogins()
  expect(await year.left()).toEqual([0, 364])
  expect(await always.left()).toEqual([0])
})

test('deletes one batch at a time; concurrent replicas delete no login twice', async () => {
  const { knex } = harness
  const { site, left: readRemaining } = await siteWith(7, Array(50).fill(8))
  const remove = () => deleteOldLogins(knex, { site, login_history_days: 7 }, 20)
  expect(await remove()).toBe(20)
  const removed = await Promise.all([remove(), remove()])
  expect(removed[0] + removed[1] + (await remove())).toBe(30)
  expect(await readRemaining()).toEqual([0])
})
