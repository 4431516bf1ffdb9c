import { beforeAll, describe, expect, test } from 'vitest'
import { openForTest } from '#testing'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  getLocation,
  listButtonLabels,
  logInWith,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
  type TestBrowser,
} from './browser.ts'
import { createLinkSteps, failedParameters } from './link-steps.ts'
import { createOwnSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createOwnSiteFixture()
const { newUser, addressFor, open } = createLinkSteps(() => ({ serviceStack, site }))

describe('while the profile service is not running', () => {
  test('a link shows its page with 200, without the name of the user', async () => {
    const address = await addressFor(await newUser())
    await using _ = await serviceStack.stopService('profile')
    const response = await openTestBrowser().open(address)
    expect(response.status).toBe(200)
    expect(await response.text()).not.toContain('Person ')
  })
})

describe('while identity is not running', () => {
  let identifier: string
  let linkAddress: string
  /** A browser with a session, and a site login that is about to start. */
  let browser: TestBrowser
  let callback: string
  beforeAll(async () => {
    identifier = await newUser()
    linkAddress = await addressFor(identifier)
    browser = openTestBrowser()
    await logInWith(site, 'search', { browser })
    const atProvider = await openRedirect(browser, buildAuthenticateUrl(serviceStack, site, 'messaging'))
    callback = await submitProviderSignIn(browser, atProvider)
    const identity = await serviceStack.stopService('identity')
    return () => identity[Symbol.asyncDispose]()
  })

  test('server_error for prompt=none while identity is unavailable', async () => {
    const address = buildAuthorizeUrl(site, 'search', { prompt: 'none' })
    const { searchParams } = new URL(getLocation(await browser.open(address)))
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'server_error' })
  })

  test('302 with server_error when identity is unavailable', async () => {
    const response = new URL(await openRedirect(browser, callback))
    expect(Object.fromEntries(response.searchParams)).toMatchObject({ status: 'failed', reason: 'server_error' })
  })

  test('a link is 302 server_error, and its token is not bound to the browser', async () => {
    expect(await open(linkAddress)).toEqual(failedParameters('server_error'))
    await using database = openForTest(serviceStack.database_urls.provider_auth)
    expect(await database.knex('association_tokens').where({ identifier }).first('browser')).toEqual({ browser: null })
  })

  test('a page is shown without the display name of the application', async () => {
    const { search } = new URL(buildAuthorizeUrl(site, 'search'))
    const page = await fetch(`${serviceStack.auth}/oauth2/authorize${search}`, {
      headers: { 'accept-language': 'en' },
    })
    const html = await page.text()
    expect(listButtonLabels(html)).toEqual([
      'Log in with LINE',
      'Log in with Yahoo! JAPAN ID',
      'Continue with Facebook',
      'Sign in with Google',
      'Sign in with Apple',
      'Sign in with X',
    ])
    expect(html).not.toContain('<header>')
  })
})
