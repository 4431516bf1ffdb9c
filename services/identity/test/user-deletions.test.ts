import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '#database'
import { newLogin, openIdentity, type SharedHarness } from './harness.ts'

let harness: SharedHarness
let site: number
beforeAll(async () => {
  harness = await openIdentity()
  site = await harness.newSite()
})
afterAll(() => harness[Symbol.asyncDispose]())

/** A user who asked to be deleted, and whose waiting period is over once `due` is set. */
async function newLeaver() {
  const { identity, call } = harness
  const { user } = await identity.recordLogin(newLogin(site), call())
  const name = { site, identifier: user.identifier }
  await identity.requestUserDeletion({ ...name, waiting_days: 30 }, call())
  return name
}

type Leaver = Awaited<ReturnType<typeof newLeaver>>

const isThere = async ({ identifier }: Leaver) =>
  (await harness.identity.readUsers({ site, identifiers: [identifier] }, harness.call())).users.length === 1

const makeDue = (leaver: Leaver) =>
  harness.knex('user_deletions').where(leaver).update({ delete_at: harness.knex.fn.now() })

test('a user whose request is canceled while the deletion begins stays', async () => {
  const { knex, waitingForLocks } = harness
  const leaver = await newLeaver()
  await transaction(knex, async (trx) => {
    await trx('users').where(leaver).forUpdate()
    await makeDue(leaver)
    await expect.poll(waitingForLocks).toBeGreaterThan(0)
    await trx('user_deletions').where(leaver).delete()
  })
  const next = await newLeaver()
  await makeDue(next)
  await expect.poll(() => isThere(next)).toBe(false)
  expect(await knex('erasures').where(next).pluck('requested_by')).toEqual(['user_request'])
  expect(await isThere(leaver)).toBe(true)
})

test('the request ends with the user, so that one who is imported again with the identifier stays', async () => {
  const { identity, call, knex } = harness
  const leaver = await newLeaver()
  await identity.deleteUser(leaver, call())
  expect(await knex('user_deletions').where(leaver)).toEqual([])
  expect(await identity.readUserDeletion(leaver, call())).toEqual({ deletion: null })
})

test('a shorter waiting period does not change an earlier request', async () => {
  const { identity, call } = harness
  const leaver = await newLeaver()
  const { deletion } = await identity.readUserDeletion(leaver, call())
  const again = await identity.requestUserDeletion({ ...leaver, waiting_days: 0 }, call())
  expect(again).toEqual({ delete_at: deletion?.delete_at })
})
