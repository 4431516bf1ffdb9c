import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { limits } from '#contracts'
import { createEncryptor, EncryptionKeys, keyRing } from '#runtime'
import { inspectRedis, passClockSteps, type SeededSite, seedSite, settled, waitFor } from '#testing'
import { findSession, insertSession, listUserSessions, touchSession } from '../store/sessions.ts'
import { ageSession, createAccountSteps, newUserName, tokenOf } from './account-steps.ts'
import { buildAuthorizeUrl, logIn, logInWith, submitProviderSignIn, type TestBrowser } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()
beforeAll(async () => {
  await turnOn(site)
})
const steps = createAccountSteps(() => ({ serviceStack, site }))

async function turnOn({ site: number, account, site_id }: SeededSite): Promise<void> {
  const { provider_auth, call } = serviceStack
  const names = { site: number, account, site_id }
  await provider_auth.changeAccountPage({ ...names, enabled: true, expected_revision: 0 }, call())
}

/** A user of the application, without a session in a browser of the test. */
async function newUser() {
  const name = newUserName()
  const callback = await logInWith(site, 'search', { user: name })
  return { name, identifier: await application.userOf(callback) }
}

/** A user who is logged in to the account page. */
async function newMember() {
  const user = await newUser()
  const browser = steps.newBrowser()
  await steps.logIn(browser, user.name)
  return { ...user, browser }
}

const readUser = (identifier: string) =>
  serviceStack.identity.resolveUser({ site: site.site, identifier }, serviceStack.call())

const noticeOf = (html: string) => /<p class="notice[^>]*>([^<]+)</.exec(html)?.[1]

test('without the setting, and for unknown sites, there is no account page', async () => {
  const other = await seedSite(serviceStack)
  const addresses = [
    `${serviceStack.auth}/account?site=${other.account}/${other.site_id}`,
    `${serviceStack.auth}/account?site=unknown/nothing`,
    `${serviceStack.auth}/account`,
  ]
  const responses = await Promise.all(addresses.map((address) => fetch(address)))
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
})

test('a user logs in, sees accounts and sessions, and logs out; the login stores neither tokens nor profile', async () => {
  const { name, identifier } = await newUser()
  const { provider_auth, call } = serviceStack
  const { links } = await readUser(identifier)
  const linkIds = links.map(({ link_id }) => link_id)
  const readTokens = () => provider_auth.exportCredentials({ site: site.site, link_ids: linkIds }, call())
  const before = await readTokens()
  const browser = steps.newBrowser()
  expect(await steps.read(browser)).toContain('Log in to your account')
  expect(await steps.logIn(browser, name)).toBe(steps.address().replaceAll('%2F', '/'))
  const page = await steps.read(browser)
  expect(page).toContain('You are logged in with this account.')
  expect(page).toContain('<strong>Firefox</strong>')
  expect(page).toContain('This browser')
  expect((await readUser(identifier)).user.login_count).toBe(2)
  expect(await readTokens()).toEqual(before)

  await steps.post(browser, page, '/log-out')
  const after = await steps.read(browser)
  expect([noticeOf(after), after.includes('Log in to your account')]).toEqual(['You are logged out.', true])
})

test('an account without a user is not registered, and a login that the user denies changes nothing', async () => {
  const { identity, call } = serviceStack
  const browser = steps.newBrowser()
  const total = async () => (await identity.listUsers({ site: site.site, limit: 1 }, call())).total
  const before = await total()
  await steps.logIn(browser, newUserName())
  expect(noticeOf(await steps.read(browser))).toContain('not linked to a user')
  expect(await total()).toBe(before)
  await steps.logIn(browser, newUserName(), { decision: 'deny' })
  expect(noticeOf(await steps.read(browser))).toContain('canceled')
  // The notice is shown once.
  expect(noticeOf(await steps.read(browser))).toBeUndefined()
})

test('a login by the account page continues the session of applications, with what they requested', async () => {
  const name = newUserName()
  const browser = steps.newBrowser()
  const address = buildAuthorizeUrl(site, 'search')
  await logIn(browser, address, { user: name })
  await steps.logIn(browser, name, { page: await fetchFreshLogin(browser) })
  const silent = new URL((await browser.open(`${address}&prompt=none`)).headers.get('location') ?? '')
  expect(silent.searchParams.has('code')).toBe(true)
})

/** The page that asks for a fresh login, of a browser whose login is too old. */
async function fetchFreshLogin(browser: TestBrowser, path = '/add', parameters = {}): Promise<string> {
  await ageSession(serviceStack, browser)
  const page = await steps.read(browser, path, parameters)
  expect(page).toContain('Log in again to continue')
  return page
}

test('a user adds an account, and removes one but never the last', async () => {
  const { identifier, browser } = await newMember()
  const add = await steps.read(browser, '/add')
  expect(add).not.toContain('value="search"')
  const started = await steps.post(browser, add, '/add', { provider: 'messaging' })
  const messagingName = newUserName()
  const callback = await submitProviderSignIn(browser, started.headers.get('location') ?? '', { user: messagingName })
  await browser.open(callback)
  expect(noticeOf(await steps.read(browser))).toBe('The account was added.')
  const providersOf = async () => (await readUser(identifier)).links.map(({ provider }) => provider).sort()
  expect(await providersOf()).toEqual(['messaging', 'search'])

  const remove = await steps.read(browser, '/remove', { provider: 'messaging' })
  await steps.post(browser, remove, '/remove')
  expect(noticeOf(await steps.read(browser))).toBe('The account was removed.')
  await settled(serviceStack)
  expect(await providersOf()).toEqual(['search'])
  // The form names the link, so that it has no effect again.
  await steps.post(browser, remove, '/remove')
  expect(await providersOf()).toEqual(['search'])
  await steps.read(browser, '/remove', { provider: 'search' })
  expect(noticeOf(await steps.read(browser))).toContain('last account')
})

test('an account of another user cannot be added', async () => {
  const other = newUserName()
  await logInWith(site, 'messaging', { user: other })
  const { identifier, browser } = await newMember()
  const started = await steps.post(browser, await steps.read(browser, '/add'), '/add', { provider: 'messaging' })
  const callback = await submitProviderSignIn(browser, started.headers.get('location') ?? '', { user: other })
  await browser.open(callback)
  expect(noticeOf(await steps.read(browser))).toContain('belongs to another user')
  expect((await readUser(identifier)).links).toHaveLength(1)
})

test.each([
  ['/add', { provider: 'messaging' }],
  ['/remove', {}],
  ['/end-others', {}],
  ['/download', {}],
])('%s needs a fresh login of the same user', async (path, fields) => {
  const { name, identifier, browser } = await newMember()
  const link = { site: site.site, identifier, provider: 'messaging', provider_user_id: newUserName() } as const
  const { identity, call } = serviceStack
  if (path === '/remove') await identity.linkAccount({ ...link, command: randomUUID() }, call())
  const parameters = path === '/remove' ? { provider: 'messaging' } : {}
  const form = await steps.read(browser, path, parameters)
  const question = await fetchFreshLogin(browser, path, parameters)
  const response = await steps.post(browser, form, path, fields)
  const page = steps.address(path, parameters).replaceAll('%2F', '/')
  expect([response.status, response.headers.get('location')]).toEqual([303, page])

  await steps.logIn(browser, newUserName(), { page: question })
  expect(noticeOf(await steps.read(browser))).toContain('not linked to yours')
  expect(await steps.logIn(browser, name, { page: question })).toBe(page)
  expect(await steps.read(browser, path, parameters)).toContain('name="csrf"')
})

test('a user sees and ends sessions in other browsers', async () => {
  const { name, browser } = await newMember()
  const others = [steps.newBrowser('Mozilla/5.0 Line/14.0.0'), steps.newBrowser(), steps.newBrowser()]
  for (const other of others) await steps.logIn(other, name)
  // With the session that the application's login began, there are four.
  const isOpen = async (one: TestBrowser) => (await steps.read(one)).includes('Linked accounts')
  const countSessions = async () => [...(await steps.read(browser)).matchAll(/<button name="session"/g)].length
  const page = await steps.read(browser)
  expect([page.includes('<strong>LINE</strong>'), await countSessions()]).toEqual([true, 4])
  const line = /<strong>LINE<\/strong>.*?name="session" value="(\w+)"/s.exec(page)?.[1] ?? ''
  await steps.post(browser, page, '/end-session', { session: line })
  expect(await Promise.all(others.map(isOpen))).toEqual([false, true, true])
  expect(await countSessions()).toBe(3)

  const question = await steps.read(browser, '/end-others')
  await steps.post(browser, question, '/end-others')
  expect(await Promise.all([browser, ...others].map(isOpen))).toEqual([true, false, false, false])
  expect(await countSessions()).toBe(0)
})

test('forms of other pages and of earlier sessions change nothing', async () => {
  const { name, browser } = await newMember()
  const other = steps.newBrowser()
  await steps.logIn(other, name)
  const question = await steps.read(browser, '/end-others')
  const foreign = await browser.open(steps.address('/end-others'), { csrf: 'guessed' })
  expect(foreign.status).toBe(303)
  expect(noticeOf(await steps.read(browser, '/end-others'))).toContain('too old')
  await steps.logIn(browser, name, { page: await fetchFreshLogin(browser) })
  await steps.post(browser, question, '/end-others')
  expect(await steps.read(other)).toContain('Linked accounts')
  // What changes something is no GET.
  expect((await fetch(steps.address('/log-out'))).status).toBe(405)
})

test('a blocked user sees why, and a removed account ends its session', async () => {
  const { identifier, browser, name } = await newMember()
  const { identity, call } = serviceStack
  const user = { site: site.site, identifier }
  await identity.blockUser({ ...user, until: null, reason: null, by: 'Test' }, call())
  const response = await browser.open(steps.address())
  expect([response.status, (await response.text()).includes('You cannot log in')]).toEqual([403, true])
  const page = await steps.read(steps.newBrowser())
  const blocked = steps.newBrowser()
  await expect(steps.logIn(blocked, name, { page })).rejects.toThrow('not 403')

  const removed = await newMember()
  const link = { site: site.site, identifier: removed.identifier, provider: 'messaging' } as const
  await identity.linkAccount({ ...link, provider_user_id: newUserName(), command: randomUUID() }, call())
  const form = await steps.read(removed.browser, '/remove', { provider: 'search' })
  expect(form).toContain('You will be logged out')
  await steps.post(removed.browser, form, '/remove')
  expect(await steps.read(removed.browser)).toContain('Log in to your account')
})

test('a user downloads what all services store, without tokens', async () => {
  const { identifier, browser, name } = await newMember()
  const { identity, call } = serviceStack
  const metadata = { site: site.site, identifier, user_metadata: { size: 'M' }, replace: false }
  await identity.changeMetadata({ ...metadata, command: randomUUID() }, call())
  const answer = { document: 'terms', version: 2, accepted: true }
  await identity.recordConsents({ site: site.site, identifier, answers: [answer], command: randomUUID() }, call())
  const response = await steps.post(browser, await steps.read(browser, '/download'), '/download')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="account-data.json"')
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({
    site: `${site.account}/${site.site_id}`,
    about: expect.arrayContaining([
      { kind: 'logins', holds: expect.any(String), kept: expect.any(String), in_file: true },
      { kind: 'audit', holds: expect.any(String), kept: expect.any(String), in_file: false },
    ]),
    user: { identifier, login_count: 2 },
    linked_accounts: [{ provider: 'search', has_tokens: true, data: { data: { profile: { full_name: name } } } }],
    profile: { full_name: name },
    profile_prohibited: false,
    user_metadata: { size: 'M' },
    consents: [answer],
    logins: [{ provider: 'search' }, { provider: 'search' }],
    sessions: [{ browser: 'firefox' }, { browser: 'other' }],
  })
  expect(text).not.toMatch(/access_token|refresh_token/)
})

test('a user has at most 100 sessions: a further one ends the one that was used least recently', async () => {
  using inspector = await inspectRedis(serviceStack.redis.url)
  const redis = inspector.client
  using encryptor = await createEncryptor(keyRing(EncryptionKeys.parse(serviceStack.encryption_keys)))
  const { browser } = await newMember()
  const session = await findSession({ redis, encryptor }, tokenOf(browser))
  if (session === undefined) throw new Error('The browser has no session.')
  const user = { ...session, identifier: randomBytes(20).toString('hex') }
  const tokens = Array.from({ length: limits.user_sessions + 1 }, () => randomUUID())
  const [first = '', second = '', ...others] = tokens
  await insertSession({ redis, encryptor }, first, user)
  await insertSession({ redis, encryptor }, second, user)
  const usedAt = Date.now()
  await passClockSteps()
  // The times of use are in milliseconds.
  await waitFor(() => expect(Date.now()).toBeGreaterThan(usedAt))
  await touchSession({ redis }, first, user)
  for (const token of others) await insertSession({ redis, encryptor }, token, user)
  expect(await findSession({ redis, encryptor }, second)).toBeUndefined()
  expect(await listUserSessions({ redis, encryptor }, user)).toHaveLength(limits.user_sessions)
  const [last = ''] = others.slice(-1)
  await insertSession({ redis, encryptor }, randomUUID(), user, { ...user, token: last })
  expect(await listUserSessions({ redis, encryptor }, user)).toHaveLength(limits.user_sessions)
  expect(await findSession({ redis, encryptor }, last)).toBeUndefined()
})
