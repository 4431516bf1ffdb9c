import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openForTest, type SeededSite, type SharedStack, seedSite, sharedStack, waitFor } from '#testing'
import { ageSession, createAccountSteps, newUserName } from './account-steps.ts'
import { applicationOf } from './application.ts'
import { logInWith } from './browser.ts'

let serviceStack: SharedStack
let site: SeededSite
beforeAll(async () => {
  serviceStack = await sharedStack()
})
beforeEach(async () => {
  site = await seedSite(serviceStack)
})
const steps = createAccountSteps(() => ({ serviceStack, site }))

async function allowDeletion(days: number | null, expectedRevision = 0): Promise<void> {
  const { provider_auth, call } = serviceStack
  const { site: number, account, site_id } = site
  const settings = { enabled: true, deletion_waiting_days: days, expected_revision: expectedRevision }
  await provider_auth.changeAccountPage({ site: number, account, site_id, ...settings }, call())
}

/** A user who is logged in to the account page. */
async function newMember() {
  const name = newUserName()
  const callback = await logInWith(site, 'search', { user: name })
  const identifier = await applicationOf(serviceStack, site).userOf(callback)
  const browser = steps.newBrowser()
  await steps.logIn(browser, name)
  return { name, identifier, browser }
}

async function readDeletion(identifier: string) {
  return (await serviceStack.identity.readUserDeletion({ site: site.site, identifier }, serviceStack.call())).deletion
}

const isThere = async (identifier: string) =>
  (await serviceStack.identity.readUsers({ site: site.site, identifiers: [identifier] }, serviceStack.call())).users
    .length === 1

/** Long enough for a busy machine. */
const waiting = { interval: 100 }

/** The types of the user's events about the deletion, once there are `count`. */
async function eventsOf(identifier: string, count: number): Promise<string[]> {
  return waitFor(async () => {
    const response = await fetch(`${serviceStack.web_api}/events?key=${site.api_key}`)
    const { events }: { events: { type: string; user: { identifier: string } }[] } = Object(await response.json())
    const types = events.filter(({ user }) => user.identifier === identifier).map(({ type }) => type)
    const shown = types.filter((type) => /delet/.test(type))
    expect(shown).toHaveLength(count)
    return shown
  }, waiting)
}

test('a user asks to be deleted, sees when, asks again without effect, and stays after changing their mind', async () => {
  await allowDeletion(14)
  const { identifier, browser } = await newMember()
  expect(await steps.read(browser)).toContain('Delete account')
  const question = await steps.read(browser, '/delete')
  expect(question).toContain('after 14 days')
  await steps.post(browser, question, '/delete')
  const deletion = await readDeletion(identifier)
  expect(Date.parse(deletion?.delete_at ?? '') - Date.parse(deletion?.requested_at ?? '')).toBe(14 * 86_400_000)
  const page = await steps.read(browser)
  expect(page).toContain(`<time datetime="${deletion?.delete_at}">Your account will be deleted on`)
  await steps.post(browser, question, '/delete')
  expect(await readDeletion(identifier)).toEqual(deletion)
  await steps.post(browser, page, '/keep')
  expect(await steps.read(browser)).toContain('Your account stays.')
  expect(await readDeletion(identifier)).toBeNull()
  expect(await eventsOf(identifier, 2)).toEqual(['user.deletion_requested', 'user.deletion_canceled'])
})

test('a user is deleted when the waiting period is over, once', async () => {
  await allowDeletion(1)
  const { identifier, browser } = await newMember()
  await steps.post(browser, await steps.read(browser, '/delete'), '/delete')
  const { knex } = openForTest(serviceStack.database_urls.identity)
  await knex('user_deletions').where({ site: site.site, identifier }).update({ delete_at: knex.fn.now() })
  await knex.destroy()
  await expect.poll(() => isThere(identifier)).toBe(false)
  expect(await eventsOf(identifier, 2)).toEqual(['user.deletion_requested', 'user.deleted'])
  expect(await steps.read(browser)).toContain('Log in to your account')
})

test('without a waiting period, the user is logged out and deleted', async () => {
  await allowDeletion(0)
  const { identifier, browser } = await newMember()
  const question = await steps.read(browser, '/delete')
  expect(question).toContain('cannot be undone')
  await steps.post(browser, question, '/delete')
  expect(await steps.read(browser)).toContain('Your account is being deleted.')
  await expect.poll(() => isThere(identifier)).toBe(false)
})

test('a login that is not fresh, a form of others, and a site that does not allow it change nothing', async () => {
  await allowDeletion(7)
  const { identifier, browser } = await newMember()
  const question = await steps.read(browser, '/delete')
  await steps.post(browser, question.replace(/name="csrf" value="\w+/, 'name="csrf" value="0'), '/delete')
  await steps.post(browser, question, '/delete', { days: '0' })
  expect(await readDeletion(identifier)).toBeNull()
  await ageSession(serviceStack, browser)
  expect(await steps.read(browser, '/delete')).toContain('Log in again to continue')
  await steps.post(browser, question, '/delete')
  expect(await readDeletion(identifier)).toBeNull()
  await allowDeletion(null, 1)
  await expect.poll(() => steps.read(browser)).not.toContain('Delete account')
  await steps.post(browser, question, '/delete')
  expect(await readDeletion(identifier)).toBeNull()
})
