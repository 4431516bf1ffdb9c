import { describe, expect, test } from 'vitest'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  logInWith,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
  type TestBrowser,
} from './browser.ts'
import { createLinkSteps } from './link-steps.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()
const { newUser, addressFor } = createLinkSteps(() => ({ serviceStack, site }))

/** Prefetches a page as a browser does, with its cookies. */
async function prefetch(browser: TestBrowser, address: string, headers: Record<string, string> = prefetches[0]) {
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const response = await fetch(address, { redirect: 'manual', headers: { cookie, ...headers } })
  expect(response.status).toBe(503)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.getSetCookie()).toEqual([])
  expect(response.headers.get('location')).toBeNull()
}

const prefetches = [
  { 'sec-purpose': 'prefetch' },
  { 'sec-purpose': 'prefetch;prerender' },
  { purpose: 'prefetch' },
  { purpose: 'preview' },
  { 'x-moz': 'prefetch' },
  { 'x-purpose': 'preview' },
] as const

describe('503 without effect for a prefetch', () => {
  test.each(prefetches)('of the callback, with %j', async (headers) => {
    const browser = openTestBrowser()
    const atProvider = await openRedirect(browser, buildAuthorizeUrl(site, 'search'))
    const callback = await submitProviderSignIn(browser, atProvider)
    await prefetch(browser, callback, headers)
    expect(new URL(await openRedirect(browser, callback)).searchParams.has('code')).toBe(true)
  })

  test('of the pages that start a login or ask for a link', async () => {
    await prefetch(openTestBrowser(), buildAuthorizeUrl(site, 'search'))
    await prefetch(openTestBrowser(), `${serviceStack.auth}/oauth2/authorize?client_id=${site.client.client_id}`)
    await prefetch(openTestBrowser(), buildAuthenticateUrl(serviceStack, site, 'search'))
    await prefetch(openTestBrowser(), await addressFor(await newUser()))
  })

  test('of a request that the session would answer, and of a logout', async () => {
    const browser = openTestBrowser()
    const silent = buildAuthorizeUrl(site, 'search', { prompt: 'none', scope: 'openid' })
    const callback = await logInWith(site, 'search', { browser })
    const { id_token } = await application.redeem(callback)
    await prefetch(browser, silent)
    await prefetch(browser, `${serviceStack.auth}/oauth2/logout?id_token_hint=${id_token}`)
    expect(new URL(await openRedirect(browser, silent)).searchParams.has('code')).toBe(true)
  })
})
