import { afterAll, beforeAll, expect, test } from 'vitest'
import { openForTest } from '#testing'
import { type Managed, openManaged } from './managed.ts'

let managed: Managed
beforeAll(async () => {
  managed = await openManaged()
})
afterAll(() => managed[Symbol.asyncDispose]())

const rule = { delete_after_days: 365, notice_days: 30, include_mapped: false }

test('an owner previews and sets the rule, the deletion is announced, and an administrator keeps the user', async () => {
  const { serviceStack, openShop, createClient, findLastEntry } = managed
  const { identity, call, database_urls } = serviceStack
  const { account, site, send: owner } = await openShop()
  const path = `/accounts/${account}/sites/shop`
  const { user } = await identity.createUser({ site, links: [] }, call())
  const { knex } = openForTest(database_urls.identity)
  await knex('users')
    .where({ site, identifier: user.identifier })
    .update({ created_at: new Date(Date.now() - 500 * 86_400_000) })
  await knex.destroy()

  const off = { ...rule, delete_after_days: null, revision: 0 }
  expect(await owner('GET', `${path}/inactivity-rule`)).toMatchObject({ status: 200, body: off })
  const preview = (settings: object) => owner('POST', `${path}/inactivity-rule/preview`, settings)
  expect(await preview(rule)).toMatchObject({ status: 200, body: { users: 1, complete: true } })
  expect(await preview({ delete_after_days: 600 })).toMatchObject({ body: { users: 0, complete: true } })
  expect(await preview({ delete_after_days: 30 })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ field: 'notice_days', message: expect.stringContaining('less than') }] } },
  })
  const editor = await createClient(account, 'editor')
  expect((await editor('PUT', `${path}/inactivity-rule`, rule, 0)).status).toBe(403)
  expect(await owner('PUT', `${path}/inactivity-rule`, rule, 0)).toMatchObject({ body: { ...rule, revision: 1 } })
  expect((await owner('PUT', `${path}/inactivity-rule`, rule, 0)).status).toBe(412)
  expect(await findLastEntry(account)).toMatchObject({
    action: 'changeInactivityRule',
    before: { delete_after_days: null },
    after: { delete_after_days: 365 },
  })

  const readDeletion = async () =>
    Reflect.get(Object((await owner('GET', `${path}/users/${user.identifier}`)).body), 'deletion')
  await expect.poll(readDeletion).toMatchObject({ cause: 'inactivity' })
  expect((await editor('DELETE', `${path}/users/${user.identifier}/deletion`)).status).toBe(200)
  expect(await readDeletion()).toBeNull()
})
