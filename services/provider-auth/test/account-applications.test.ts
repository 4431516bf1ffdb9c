import { beforeAll, expect, test } from 'vitest'
import type { DataRecipient } from '#contracts'
import { openForTest } from '#testing'
import { ageSession, createAccountSteps, newUserName } from './account-steps.ts'
import { buildAuthorizeUrl, fetchOneTimeToken, logInWith, openTestBrowser, type TestBrowser } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'
import { expectEventData } from './user-events.ts'

const { serviceStack, site, application } = createSiteFixture()
beforeAll(async () => {
  const { provider_auth, call } = serviceStack
  const { account, site_id } = site
  await provider_auth.changeAccountPage(
    { site: site.site, account, site_id, enabled: true, expected_revision: 0 },
    call(),
  )
})
const steps = createAccountSteps(() => ({ serviceStack, site }))

/** A login at the application, in this browser. */
async function logInToApplication(browser: TestBrowser, user: string, changes = {}) {
  const tokens = await application.redeem(await logInWith(site, 'search', { browser, user, parameters: changes }))
  return { ...tokens, identifier: String((await application.verify(tokens.id_token)).sub) }
}

async function linksOf(identifier: string) {
  const { links } = await serviceStack.identity.resolveUser({ site: site.site, identifier }, serviceStack.call())
  return { site: site.site, link_ids: links.map(({ link_id }) => link_id) }
}

async function recipientsOf(identifier: string): Promise<readonly DataRecipient[]> {
  const { provider_auth, call } = serviceStack
  return (await provider_auth.readDataRecipients(await linksOf(identifier), call())).recipients
}

/** Changes when what was recorded of a user happened. */
async function dateRecords(identifier: string, at: Date): Promise<void> {
  const { site: number, link_ids } = await linksOf(identifier)
  const { knex } = openForTest(serviceStack.database_urls.provider_auth)
  await knex('data_recipients')
    .where({ site: number })
    .whereIn('link_id', link_ids)
    .update({ first_at: at, last_at: at })
  await knex.destroy()
}

const ofClient = { client_id: expect.any(String), name: 'test', access_removed_at: null }
const anyTime = expect.stringMatching(/Z$/)

test('the page shows which applications received what: by a code, an ID Token, and a one-time token', async () => {
  const user = newUserName()
  const browser = steps.newBrowser()
  const { identifier } = await logInToApplication(browser, user, { scope: 'openid email' })
  await logInWith(site, 'search', { user, parameters: { response_type: 'id_token', nonce: 'n' } })
  expect(await recipientsOf(identifier)).toEqual([
    { ...ofClient, received: ['openid', 'profile', 'email'], first_at: anyTime, last_at: anyTime },
  ])
  await fetchOneTimeToken(serviceStack, site, { provider: 'search', user })
  // A token that no server has redeemed is no receipt.
  expect(await recipientsOf(identifier)).toHaveLength(1)
  const token = await fetchOneTimeToken(serviceStack, site, { provider: 'search', user })
  const form = new URLSearchParams({ key: site.api_key, token })
  await fetch(`${serviceStack.web_api}/authenticated_user?${form}`)
  expect((await recipientsOf(identifier)).map(({ client_id, received }) => [client_id, received])).toContainEqual([
    null,
    [],
  ])

  const page = await steps.read(browser)
  expect(page).toContain('Received: your ID, profile, and email address')
  expect(page).toContain(`Servers of \u2068${site.site_id}`)
  const file = await (await steps.post(browser, await steps.read(browser, '/download'), '/download')).json()
  expect(file).toMatchObject({
    applications: [{ client_id: null }, { name: 'test', received: ['openid', 'profile', 'email'] }],
  })
})

test('a repeated login within a day writes nothing, and a later one the time', async () => {
  const user = newUserName()
  const { identifier } = await logInToApplication(openTestBrowser(), user)
  const [first] = await recipientsOf(identifier)
  const longAgo = '2026-01-01T00:00:00Z'
  await dateRecords(identifier, new Date(longAgo))
  await logInToApplication(openTestBrowser(), user)
  const [second] = await recipientsOf(identifier)
  expect(second?.first_at).toBe(longAgo)
  expect(Date.parse(second?.last_at ?? '')).toBeGreaterThanOrEqual(Date.parse(first?.last_at ?? ''))
  await logInToApplication(openTestBrowser(), user)
  expect(await recipientsOf(identifier)).toEqual([second])
})

test('a user removes the access of an application: its tokens end, and the session is not continued until a login', async () => {
  const user = newUserName()
  const browser = steps.newBrowser()
  const { identifier, access_token } = await logInToApplication(browser, user)
  const silent = buildAuthorizeUrl(site, 'search', { prompt: 'none' })
  const openSilently = async () =>
    Object.fromEntries(new URL((await browser.open(silent)).headers.get('location') ?? '').searchParams)
  const waitingCode = (await openSilently()).code ?? ''

  const { client_id } = site.client
  const question = await steps.read(browser, '/application', { client_id })
  expect(question).toMatch(/Remove the access of \W?test\W?\?/)
  await steps.post(browser, question, '/application')
  const page = await steps.read(browser)
  expect(page).toContain('The access was removed.')
  expect(page).toContain('You removed its access on')
  expect(page).not.toContain('Remove access')
  expect(await application.userinfo(access_token)).toMatchObject({ error: 'invalid_token' })
  const redirected = new URL(`${site.client.redirect_uri}?code=${waitingCode}`)
  await expect(application.redeem(redirected)).rejects.toThrow('invalid_grant')
  expect(await openSilently()).toMatchObject({ error: 'login_required' })
  // A repeat has no further effect.
  await steps.post(browser, question, '/application')
  const ofUser = { site: site.site, identifier }
  await expectEventData(serviceStack, ofUser, 'user.access_removed', [{ client_id, name: 'test' }])

  await logInToApplication(browser, user)
  expect(await openSilently()).toHaveProperty('code')
  expect(await recipientsOf(identifier)).toMatchObject([{ access_removed_at: null }])
})

test('access is removed after a fresh login, by our own form, of applications that received data', async () => {
  const user = newUserName()
  const browser = steps.newBrowser()
  const { access_token } = await logInToApplication(browser, user)
  const { client_id } = site.client
  const question = await steps.read(browser, '/application', { client_id })
  await steps.post(browser, question.replace(/name="csrf" value="\w+/, 'name="csrf" value="0'), '/application')
  await ageSession(serviceStack, browser)
  await steps.post(browser, question, '/application')
  expect(await application.userinfo(access_token)).toHaveProperty('sub')
  const freshLogin = await steps.read(browser, '/application', { client_id })
  expect(freshLogin).toContain('Log in again to continue')
  expect(await steps.logIn(browser, user, { page: freshLogin })).toContain(`client_id=${client_id}`)
  const unknown = await browser.open(steps.address('/application', { client_id: 'unknown' }))
  expect([unknown.status, unknown.headers.get('location')]).toEqual([303, steps.address().replaceAll('%2F', '/')])
})

test('what was recorded moves with a merge, and is deleted with the linked account and the user', async () => {
  const { identity, call } = serviceStack
  const { identifier: source } = await logInToApplication(openTestBrowser(), newUserName())
  const callback = await logInWith(site, 'messaging', { user: newUserName() })
  const destination = await application.userOf(callback)
  const links = await linksOf(source)
  const merge = { source: { identifier: source }, destination: { identifier: destination } }
  await identity.mergeUsers({ site: site.site, ...merge, nomerge: false, command: crypto.randomUUID() }, call())
  expect(await recipientsOf(destination)).toHaveLength(1)
  const { provider_auth } = serviceStack
  expect((await provider_auth.readDataRecipients(links, call())).recipients).toHaveLength(1)
  const unlinking = { providers: ['search' as const], nowarn: false, nomerge: false, command: crypto.randomUUID() }
  await identity.unlinkProviders({ site: site.site, identifier: destination, ...unlinking }, call())
  await expect.poll(async () => (await provider_auth.readDataRecipients(links, call())).recipients).toEqual([])
  expect(await recipientsOf(destination)).toHaveLength(1)
})

test('ended sessions and a download are events, which the page and the administrator see', async () => {
  const user = newUserName()
  const browser = steps.newBrowser()
  const { identifier } = await logInToApplication(browser, user)
  const ofUser = { site: site.site, identifier }
  const other = steps.newBrowser()
  await logInToApplication(other, user)
  await steps.post(browser, await steps.read(browser, '/end-others'), '/end-others')
  expect(await steps.read(other)).toContain('Log in to your account')
  // Without another session, nothing happens.
  await steps.post(browser, await steps.read(browser, '/end-others'), '/end-others')
  await expectEventData(serviceStack, ofUser, 'user.sessions_ended', [{ sessions: 1 }])
  await steps.post(browser, await steps.read(browser, '/download'), '/download')
  await expectEventData(serviceStack, ofUser, 'user.data_downloaded', [{}])
  const page = await steps.read(browser)
  expect(page).toContain('Sessions ended: 1')
  expect(page).toContain('Data downloaded')
  const types = ['user.created' as const, 'user.sessions_ended' as const, 'user.data_downloaded' as const]
  const { entries } = await serviceStack.events.listUserHistory({ ...ofUser, types, limit: 2 }, serviceStack.call())
  expect(entries.map(({ type }) => type)).toEqual(['user.data_downloaded', 'user.sessions_ended'])

  await steps.post(browser, page, '/log-out')
  await expectEventData(serviceStack, ofUser, 'user.sessions_ended', [{ sessions: 1 }, { sessions: 1 }])
})
