import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { InactivitySettings } from '#contracts'
import { faultMatching, newLogin, openIdentity, type SharedHarness } from './harness.ts'

const days = (count: number) => count * 86_400_000

let harness: SharedHarness
let site: number
beforeAll(async () => {
  harness = await openIdentity()
})
beforeEach(async () => {
  site = await harness.newSite()
})
afterAll(() => harness[Symbol.asyncDispose]())

/** A user whose creation and last login were some days ago, with other columns. */
async function newUser(daysAgo: number, changes: Readonly<Record<string, unknown>> = {}) {
  const { identity, call, knex } = harness
  const login = newLogin(site)
  const { user } = await identity.recordLogin(login, call())
  const key = { site, identifier: user.identifier }
  const at = new Date(Date.now() - days(daysAgo))
  await knex('users')
    .where(key)
    .update({ created_at: at, last_logged_in_at: at, ...changes })
  const logIn = () => identity.recordLogin(newLogin(site, login), call())
  return { key, logIn }
}

const rule: InactivitySettings = { delete_after_days: 100, notice_days: 10, include_mapped: false }

async function changeRule(changes: Partial<InactivitySettings> = {}) {
  const { identity, call } = harness
  const { revision } = await identity.readInactivityRule({ site }, call())
  return identity.changeInactivityRule({ site, ...rule, ...changes, expected_revision: revision }, call())
}

type Key = Awaited<ReturnType<typeof newUser>>['key']

const readDeletion = async (key: Key) => (await harness.identity.readUserDeletion(key, harness.call())).deletion

const preview = (changes: Partial<InactivitySettings> = {}) =>
  harness.identity.previewInactivityRule({ site, ...rule, ...changes }, harness.call())

const noLogin = { last_logged_in_at: null, last_logged_in_provider: null, login_count: 0 }

/** Waits for a pass that began after now: it announces the deletion of this user last. */
async function passRule(changes: Partial<InactivitySettings> = {}): Promise<void> {
  const { key } = await newUser(91, noLogin)
  await changeRule(changes)
  await expect.poll(() => readDeletion(key)).not.toBeNull()
}

const isThere = async ({ identifier }: Key) =>
  (await harness.identity.readUsers({ site, identifiers: [identifier] }, harness.call())).users.length === 1

const makeDue = (key: Key) => harness.knex('user_deletions').where(key).update({ delete_at: harness.knex.fn.now() })

test('announces the deletion of users who are inactive for long enough, and of no others', async () => {
  const { identity, call } = harness
  const later = await newUser(95)
  const longAgo = await newUser(500)
  const neverLoggedIn = await newUser(95, noLogin)
  const active = await newUser(80)
  const mapped = await newUser(500, { primary_key: 'customer', mapped_at: new Date() })
  const blocked = await newUser(500, { blocked_at: new Date(), blocked_by: 'Test' })
  const blockEnded = await newUser(500, { blocked_at: new Date(0), blocked_until: new Date(0), blocked_by: 'Test' })
  const leaver = await newUser(500)
  await identity.requestUserDeletion({ ...leaver.key, waiting_days: 30 }, call())
  expect(await preview()).toEqual({ users: 4, complete: true })
  expect(await preview({ include_mapped: true })).toEqual({ users: 5, complete: true })
  await passRule()
  expect(await preview()).toEqual({ users: 0, complete: true })
  for (const { key } of [later, neverLoggedIn, longAgo, blockEnded]) {
    const deletion = await readDeletion(key)
    expect(deletion?.cause).toBe('inactivity')
    expect(Date.parse(deletion?.delete_at ?? '') - Date.parse(deletion?.requested_at ?? '')).toBe(days(10))
  }
  for (const { key } of [active, mapped, blocked]) expect(await readDeletion(key)).toBeNull()
  expect(await readDeletion(leaver.key)).toMatchObject({ cause: 'user_request' })
})

test('a login cancels a deletion by inactivity, and not one that the user asked for', async () => {
  const { identity, call, knex } = harness
  const inactive = await newUser(95)
  const leaver = await newUser(95)
  await passRule()
  await identity.requestUserDeletion({ ...leaver.key, waiting_days: 30 }, call())
  expect(await readDeletion(leaver.key)).toMatchObject({ cause: 'user_request' })
  await inactive.logIn()
  await leaver.logIn()
  expect(await readDeletion(inactive.key)).toBeNull()
  expect(await readDeletion(leaver.key)).toMatchObject({ cause: 'user_request' })
  expect(await knex('users').where(inactive.key).pluck('deletion_noticed_at')).toEqual([null])
})

test('deletes users when their deletion is due, unless the rule no longer applies', async () => {
  const inactive = await newUser(95)
  const mapped = await newUser(95)
  await passRule()
  const { identity, call } = harness
  await identity.mapPrimaryKey({ ...mapped.key, primary_key: 'customer', overwrite: false }, call())
  await makeDue(mapped.key)
  await expect.poll(() => readDeletion(mapped.key)).toBeNull()
  await makeDue(inactive.key)
  await expect.poll(() => isThere(inactive.key)).toBe(false)
  expect(await harness.knex('erasures').where(inactive.key).pluck('requested_by')).toEqual(['inactivity'])
  expect(await isThere(mapped.key)).toBe(true)
})

test('a user who is kept counts as active', async () => {
  const kept = await newUser(95)
  await passRule()
  await harness.identity.cancelUserDeletion(kept.key, harness.call())
  await passRule({ notice_days: 11 })
  expect(await readDeletion(kept.key)).toBeNull()
})

test('switching the rule off cancels announced deletions', async () => {
  const inactive = await newUser(95)
  await passRule()
  await changeRule({ delete_after_days: null })
  await expect.poll(() => readDeletion(inactive.key)).toBeNull()
  const nextLook = () => harness.knex('inactivity_rules').where({ site }).pluck('next_look_at')
  await expect.poll(nextLook).toEqual([null])
})

test('rejects a notice that is not before the deletion, and a change of an earlier revision', async () => {
  const { identity, call } = harness
  const change = { site, ...rule, delete_after_days: 30, notice_days: 30, expected_revision: 0 }
  await expect(identity.changeInactivityRule(change, call())).rejects.toMatchObject(faultMatching('invalid_parameter'))
  await expect(preview(change)).rejects.toMatchObject(faultMatching('invalid_parameter'))
  await identity.changeInactivityRule({ ...change, notice_days: 29 }, call())
  await expect(identity.changeInactivityRule({ ...change, notice_days: 28 }, call())).rejects.toMatchObject(
    faultMatching('changed_meanwhile'),
  )
})
