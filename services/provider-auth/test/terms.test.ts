import { beforeEach, describe, expect, test } from 'vitest'
import { newUserName } from './account-steps.ts'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  getLocation,
  logIn,
  logInWith,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
} from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'
import { createTermsSteps, toDocument, usualDocuments } from './terms-steps.ts'
import { expectEventData } from './user-events.ts'

const { serviceStack, site, application } = createSiteFixture()
const steps = createTermsSteps(() => ({ serviceStack, site }))
const address = (fields: Record<string, string> = {}) => buildAuthorizeUrl(site, 'search', fields)
const parametersOf = ({ searchParams }: URL) => Object.fromEntries(searchParams)
const pathOf = (location: string) => new URL(location).pathname

beforeEach(() => steps.setDocuments(usualDocuments))

test('a new user is asked once, and the application receives a code after the answers are stored', async () => {
  const browser = openTestBrowser()
  const user = newUserName()
  const page = await steps.logInToPage(browser, address({ ui_locales: 'en' }), user)
  expect(pathOf(page.address)).toBe('/oauth2/terms/search')
  expect(page.html).toContain('I accept: \u2068The terms\u2069')
  expect(page.html).toContain('href="https://shop.example.com/en/terms" target="_blank" rel="noopener noreferrer"')
  expect(page.html).not.toContain('checked')
  const callback = await steps.accept(browser, page, ['terms'])
  expect(parametersOf(callback)).toMatchObject({ state: 'state-of-the-application', iss: serviceStack.auth })
  const identifier = await application.userOf(callback)
  const answers = [
    { document: 'newsletter', version: 1, accepted: false },
    { document: 'terms', version: 1, accepted: true },
  ]
  expect(await steps.answersOf(identifier)).toEqual(answers)
  const consents = answers.map((answer) => ({ ...answer, answered_at: expect.stringMatching(/Z$/) }))
  await expectEventData(serviceStack, { site: site.site, identifier }, 'user.consents_changed', [{ consents }])
  // In any browser, also with the page of the site.
  expect(await application.userOf(await logInWith(site, 'search', { user }))).toBe(identifier)
  const siteLogin = await logIn(openTestBrowser(), buildAuthenticateUrl(serviceStack, site, 'search'), { user })
  expect(siteLogin.searchParams.get('status')).toBe('authorized')
})

test('a version asks again only those whose answer is earlier than the minimum version', async () => {
  const user = newUserName()
  const browser = openTestBrowser()
  const first = await steps.accept(browser, await steps.logInToPage(browser, address(), user), ['terms'])
  const identifier = await application.userOf(first)
  const newsletter = toDocument({ name: 'newsletter', kind: 'optional' })
  await steps.setDocuments([toDocument({ name: 'terms', version: 2 }), newsletter])
  expect(await application.userOf(await logInWith(site, 'search', { browser, user }))).toBe(identifier)

  await steps.setDocuments([toDocument({ name: 'terms', version: 3, minimum_version: 2 }), newsletter])
  const page = await steps.logInToPage(browser, address(), user)
  expect(page.html).not.toContain('The newsletter')
  expect(await application.userOf(await steps.accept(browser, page, ['terms']))).toBe(identifier)
  expect(await steps.answersOf(identifier)).toContainEqual({ document: 'terms', version: 3, accepted: true })
})

test('a required document that is not checked, or an outdated page, is shown again, and nothing is stored', async () => {
  const browser = openTestBrowser()
  const page = await steps.logInToPage(browser, address({ ui_locales: 'en' }))
  const again = await steps.post(browser, page, { decision: 'accept', accept_newsletter: 'yes' })
  const html = await again.text()
  expect(again.status).toBe(200)
  expect(html).toContain('Accept what is required to continue.')
  expect(html.match(/aria-invalid/g)).toHaveLength(1)
  expect(html).toMatch(/name="accept_newsletter"[^>]* checked/)

  await steps.setDocuments([toDocument({ name: 'terms', version: 2, minimum_version: 2 })])
  const outdated = await steps.post(browser, page, { decision: 'accept', accept_terms: 'yes' })
  expect(await outdated.text()).toContain('value="terms:2"')
  const callback = await steps.accept(browser, { ...page, html: await (await browser.open(page.address)).text() }, [
    'terms',
  ])
  expect(await steps.answersOf(await application.userOf(callback))).toEqual([
    { document: 'terms', version: 2, accepted: true },
  ])
})

test('a user who cancels is sent to the application with access_denied, and is asked at the next login', async () => {
  const browser = openTestBrowser()
  const user = newUserName()
  const page = await steps.logInToPage(browser, address(), user)
  const callback = new URL(getLocation(await steps.post(browser, page, { decision: 'cancel' })))
  const denied = { error: 'access_denied', error_description: 'The user did not accept the terms.' }
  expect(parametersOf(callback)).toEqual({
    ...denied,
    state: 'state-of-the-application',
    iss: serviceStack.auth,
  })
  await steps.logInToPage(browser, address(), user)
})

test('prompt=none answers consent_required until what is required is accepted; optional documents do not matter', async () => {
  const silent = async (browser: ReturnType<typeof openTestBrowser>) =>
    new URL(getLocation(await browser.open(address({ prompt: 'none' }))))
  const browser = openTestBrowser()
  const page = await steps.logInToPage(browser, address())
  expect(parametersOf(await silent(browser))).toMatchObject({
    error: 'consent_required',
    error_description: 'The user has to accept documents of the site.',
  })
  const identifier = await application.userOf(await steps.accept(browser, page, ['terms']))
  await steps.setDocuments([...usualDocuments, toDocument({ name: 'survey', kind: 'optional' })])
  expect(await application.userOf(await silent(browser))).toBe(identifier)
  await steps.setDocuments([toDocument({ name: 'terms', version: 2, minimum_version: 2 })])
  expect((await silent(browser)).searchParams.get('error')).toBe('consent_required')
})

describe('the form', () => {
  test('sent twice, also at the same time, leads to the same response with one code', async () => {
    const browser = openTestBrowser()
    const page = await steps.logInToPage(browser, address())
    const [first, second] = await Promise.all([
      steps.accept(browser, page, ['terms']),
      steps.accept(browser, page, ['terms']),
    ])
    expect(second.href).toBe(first.href)
    expect((await steps.accept(browser, page, ['terms'])).href).toBe(first.href)
    const identifier = await application.userOf(first)
    await expectEventData(serviceStack, { site: site.site, identifier }, 'user.consents_changed', [expect.anything()])
  })

  test('of another page is shown again, and has no effect in another browser', async () => {
    const browser = openTestBrowser()
    const page = await steps.logInToPage(browser, address())
    const fields = { decision: 'accept', accept_terms: 'yes' }
    const forged = await steps.post(browser, page, { ...fields, csrf: 'x' })
    expect([forged.status, forged.headers.get('location')]).toEqual([303, page.address])
    const foreign = openTestBrowser({ 'sec-fetch-site': 'cross-site' })
    for (const [name, value] of browser.cookies) foreign.cookies.set(name, value)
    expect((await steps.post(foreign, page, fields)).status).toBe(303)
    expect((await steps.post(openTestBrowser(), page, fields)).status).toBe(400)
    expect((await openTestBrowser().open(page.address)).status).toBe(400)
    await application.userOf(await steps.accept(browser, page, ['terms']))
  })

  test('of a user who was blocked or deleted in the meantime leads to no code', async () => {
    const { identity, call } = serviceStack
    const openPage = async () => {
      const browser = openTestBrowser()
      const user = newUserName()
      await steps.setDocuments([])
      const identifier = await application.userOf(await logInWith(site, 'search', { browser, user }))
      await steps.setDocuments(usualDocuments)
      return { browser, page: await steps.logInToPage(browser, address(), user), identifier }
    }
    const blocked = await openPage()
    await identity.blockUser(
      { site: site.site, identifier: blocked.identifier, until: null, reason: null, by: 'Test' },
      call(),
    )
    const response = await steps.post(blocked.browser, blocked.page, { decision: 'accept', accept_terms: 'yes' })
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('error=access_denied')

    const deleted = await openPage()
    await identity.deleteUser({ site: site.site, identifier: deleted.identifier }, call())
    const gone = await steps.post(deleted.browser, deleted.page, { decision: 'accept', accept_terms: 'yes' })
    expect(new URL(getLocation(gone)).searchParams.get('error')).toBe('login_required')
  })
})

test('if the last document is answered or removed while the page is open, reloading it completes the login', async () => {
  const browser = openTestBrowser()
  const page = await steps.logInToPage(browser, address())
  await steps.setDocuments([])
  const callback = new URL(getLocation(await browser.open(page.address)))
  expect(await steps.answersOf(await application.userOf(callback))).toEqual([])
})

test('a callback that the browser opens twice leads to the same page', async () => {
  const browser = openTestBrowser()
  const atUs = await submitProviderSignIn(browser, await openRedirect(browser, address()), { user: newUserName() })
  const first = getLocation(await browser.open(atUs))
  expect(getLocation(await browser.open(atUs))).toBe(first)
  expect((await browser.open(first)).status).toBe(200)
})

test('site logins ask before the one-time token; a canceled one fails with access_denied', async () => {
  const { provider_auth, call } = serviceStack
  const ofSite = buildAuthenticateUrl(serviceStack, site, 'search')
  const browser = openTestBrowser()
  const callback = await steps.accept(browser, await steps.logInToPage(browser, ofSite), ['terms', 'newsletter'])
  const { token = '', ...rest } = parametersOf(callback)
  expect(rest).toEqual({ status: 'authorized', state: 'state-of-the-application' })
  const { identifier } = await provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
  expect(await steps.answersOf(identifier)).toMatchObject([{ accepted: true }, { accepted: true }])

  const denied = await steps.post(browser, await steps.logInToPage(browser, ofSite), { decision: 'cancel' })
  expect(parametersOf(new URL(getLocation(denied)))).toEqual({
    status: 'failed',
    reason: 'access_denied',
    state: 'state-of-the-application',
  })
})

test('a client with the setting has the answers as a claim, in the ID Token and in userinfo', async () => {
  const browser = openTestBrowser()
  const accept = async () => steps.accept(browser, await steps.logInToPage(browser, address()), ['terms'])
  const without = await application.redeem(await accept())
  expect(await application.verify(without.id_token)).not.toHaveProperty('consents')
  const name = { site: site.site, client_id: site.client.client_id }
  const { revision } = await serviceStack.provider_auth.readClient(name, serviceStack.call())
  const change = { ...name, expected_revision: revision, consents_claim: true }
  await serviceStack.provider_auth.changeClient(change, serviceStack.call())

  const answer = (accepted: boolean) => ({ version: 1, accepted, answered_at: expect.stringMatching(/Z$/) })
  const consents = { terms: answer(true), newsletter: answer(false) }
  const { id_token, access_token } = await application.redeem(await accept())
  expect((await application.verify(id_token)).consents).toEqual(consents)
  expect((await application.userinfo(access_token)).consents).toEqual(consents)
  const { hash } = await steps.accept(
    browser,
    await steps.logInToPage(browser, address({ response_type: 'id_token', nonce: 'n-1' })),
    ['terms'],
  )
  const inFragment = await application.verify(new URLSearchParams(hash.slice(1)).get('id_token') ?? '')
  expect(inFragment.consents).toEqual(consents)
})
